import { stringify } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { customKindOf } from '../app/deploy/custom-kinds.ts';
import { install, installedObjects, withCluster } from '../app/deploy/install.ts';
import { refusedFolder } from '../app/deploy/router-objects.ts';
import { readRouters } from '../app/routed-traffic.ts';
import { CodedError } from '../base/coded-error.ts';
import type { Call, RunCommand } from './command.ts';
import { listOption, textOption } from './operate/call-options.ts';
import { carryOut } from './operate/carry-out.ts';
import { clusterChoice } from './operate/cluster-choice.ts';

/** Puts the operator into a cluster, or prints what would be put there. */
export const run: RunCommand = async (call, terminal) => {
  const request = { ...requestOf(call), ...(await routersOf(call)) };
  if (call.options['dryRun'] === true) {
    const documents = installedObjects(request).map(object => stringify(object, yamlOptions));
    terminal.print(documents.join('---\n'));
    return 'ok';
  }
  return withCluster(clusterChoice(call), (cluster, server) =>
    carryOut(install(cluster, request, server), call, terminal),
  );
};

/** nginx is told by signals, which no Pod can send to its machine. */
async function routersOf(call: Call) {
  const file = textOption(call, 'routers');
  if (file === undefined) return {};
  const { haproxy, nginx } = await readRouters(file);
  if (nginx)
    throw new CodedError(
      'UsageInvalid',
      `--routers ${file}: nginx must be on the same machine as Afloat and get signals, which do not reach out of a Pod: name an HAProxy`,
    );
  if (!haproxy) throw new CodedError('UsageInvalid', `--routers ${file}: no router is named`);
  const refused = refusedFolder({ haproxy });
  if (refused !== undefined) throw new CodedError('UsageInvalid', `--routers ${file}: ${refused}`);
  return { routers: { haproxy } };
}

const yamlOptions = { aliasDuplicateObjects: false, lineWidth: 0 } as const;

function requestOf(call: Call) {
  const text = (name: string) => textOption(call, name);
  const replicas = Number(text('replicas') ?? 2);
  if (!Number.isInteger(replicas) || replicas < 1 || replicas > 10)
    throw new CodedError('UsageInvalid', `--replicas ${text('replicas')} is no number from 1 to 10`);
  const namespace = text('namespace');
  const watch = text('watch');
  const pullPolicy = text('pullPolicy');
  const packageRootClaim = text('packageRootClaim');
  return {
    image: text('image') ?? `afloat:${manifest.version}`,
    replicas,
    clouds: listOption(call, 'cloud'),
    everywhere: call.options['allNamespaces'] === true,
    argoWorkflows: call.options['argoWorkflows'] === true,
    customKinds: listOption(call, 'customKind').map(customKindOf),
    crdsOnly: call.options['crdsOnly'] === true,
    ...(packageRootClaim === undefined ? {} : { packageRootClaim }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(watch === undefined ? {} : { watch }),
    ...(pullPolicy === undefined ? {} : { pullPolicy }),
  };
}
