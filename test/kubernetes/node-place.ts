import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  hasImages,
  loadProgramImages,
  nameImage,
  type ProgramImage,
} from '../../scripts/kubernetes/node/load-images.ts';
import { waitUntil } from '../../scripts/kubernetes/process/wait-until.ts';
import type { TestNode } from '../../scripts/kubernetes/test-node.ts';
import { servicesName } from '../../src/app/deploy/deploy-names.ts';
import type { Cluster } from '../../src/cluster/cluster.ts';
import { findObject } from '../../src/cluster/find-object.ts';
import { findAccess } from '../../src/cluster/kubernetes/access/find-access.ts';
import { KubernetesCluster } from '../../src/cluster/kubernetes/kubernetes-cluster.ts';
import { ledgerProgram } from '../charts/write-ledger-chart.ts';
import type { JourneyPlace } from '../journeys/engine/journey-place.ts';
import { startNodeOperator } from './node-operator.ts';
import { installRights, type Rights } from './operator-rights.ts';

const journeys = join(import.meta.dirname, '../journeys');
const engineProgram = join(journeys, 'engine/program');

/** The images that journeys are made of; every service and version of theirs is another name of one of them. */
const bases = {
  journey: programImage('journey/base', [engineProgram]),
  promises: programImage('promises/base', [engineProgram, join(journeys, 'promises/program')]),
  charts: programImage('charts/base', ledgerProgram),
  shell: { name: 'promises/shell:1', entrypoint: ['/bin/sh', '-c'] },
} as const;

/** Named by its content: a node that is kept has the one of before, too. */
function programImage(name: string, folders: readonly string[]): ProgramImage & { readonly name: string } {
  const hash = createHash('sha256');
  for (const folder of folders)
    for (const file of readdirSync(folder).sort()) hash.update(file).update(readFileSync(join(folder, file)));
  return { name: `${name}:${hash.digest('hex').slice(0, 16)}`, folders };
}

/** A place on the node of the test run. */
export interface NodePlace extends JourneyPlace {
  readonly node: TestNode;
}

/**
 * A namespace of its own on a real node, in which everybody has the rights that are shipped. The folder is one of the machine that the node
 * is on, too.
 */
export async function nodePlace(
  node: TestNode,
  folder: string,
  through: (cluster: Cluster) => Cluster = cluster => cluster,
): Promise<NodePlace> {
  await loadBases(node);
  const cluster = KubernetesCluster.to(await findAccess({ kubeconfig: node.kubeconfig }));
  const namespace = await makeNamespace(cluster, 'journey-');
  let rights: Rights | undefined;
  const data = join(folder, 'data');
  const named = new Set<string>(Object.values(bases).map(({ name }) => name));
  return {
    ...{ node, namespace, counts: false, patience: 4 },
    record: { serviceAccountName: servicesName },
    traffic: { drainSeconds: 1 },
    podSpec: { volumes: [{ name: 'data', hostPath: { path: data, type: 'Directory' } }] },
    container: { volumeMounts: [{ name: 'data', mountPath: data }] },
    async start(options) {
      rights ??= await installRights(cluster, node.kubeconfig, namespace);
      const { operator, person } = rights;
      const engine = await startNodeOperator(operator, {
        ...{ namespace, through: through(operator) },
        ...options,
      });
      return { cluster, person, engine, ended: engine.ended };
    },
    async image(name) {
      const [, family] = /^(journey|promises|charts)\/.*:\d+\.\d+\.\d+$/.exec(name) ?? [];
      if (!named.has(name) && family !== undefined)
        await nameImage(node, bases[family as 'journey' | 'promises' | 'charts'].name, name);
      named.add(name);
    },
    async close() {
      await removeNamespace(cluster, namespace);
      await rights?.operator.close();
      await cluster.close();
      const { denied = [] } = rights ?? {};
      if (denied.length > 0) throw new TypeError(`the operator was not allowed:\n${denied.join('\n')}`);
    },
  };
}

async function loadBases(node: TestNode): Promise<void> {
  const images = Object.values(bases);
  if (!(await hasImages(node, [...images.map(({ name }) => name)]))) await loadProgramImages(node, images);
}

/** A namespace in which Pods can be made. */
async function makeNamespace(cluster: Cluster, generateName: string): Promise<string> {
  const type = { apiVersion: 'v1', kind: 'Namespace' };
  const { name: namespace } = (await cluster.create({ ...type, metadata: { generateName } })).metadata;
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', name: 'default', namespace };
  await waitUntil('the account of the namespace', 60, () => findObject(cluster, account));
  return namespace;
}

/** Returns when no Pod of it is left: others need the room. */
async function removeNamespace(cluster: Cluster, name: string): Promise<void> {
  await cluster.delete({ apiVersion: 'v1', kind: 'Namespace', name });
  for (let seconds = 0; seconds < 90; seconds++) {
    const { items } = await cluster.list({ apiVersion: 'v1', kind: 'Pod' }, { namespace: name });
    if (items.length === 0) return;
    await pause(1000);
  }
  throw new TypeError(`Pods of ${name} are left`);
}
