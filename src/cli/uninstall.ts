import { withCluster } from '../app/deploy/install.ts';
import { uninstall } from '../app/deploy/uninstall.ts';
import type { RunCommand } from './command.ts';
import { carryOut } from './operate/carry-out.ts';
import { clusterChoice } from './operate/cluster-choice.ts';

/** Takes the operator out of a cluster. */
export const run: RunCommand = (call, terminal) =>
  withCluster(clusterChoice(call), async cluster =>
    carryOut(await uninstall(cluster, { crds: call.options['crds'] === true }), call, terminal),
  );
