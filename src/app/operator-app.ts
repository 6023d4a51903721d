import { CodedError } from '../base/coded-error.ts';
import { systemClock } from '../cluster/clock.ts';
import { connectOptions } from './connect-options.ts';
import { connectWorld, kubeconfigOf } from './connect-world.ts';
import { checkDefinitions, warnOfOldDefinitions } from './definitions.ts';
import { startEmbeddedOperator } from './embedded-operator.ts';
import { checkMachine } from './machine-checks.ts';
import { isManagerAlive, readManagerNote } from './manager-note.ts';
import { findOperator } from './operate/find-operator.ts';
import type { PlansBeside } from './operate/roll-back.ts';
import { operate } from './operate.ts';
import type { Connection, DownRequest, Intent, OperatorApp, WorldOptions } from './operator-verbs.ts';
import { observeCurrent, plansBeside } from './plan-current.ts';
import { type StartOperator, startDetached, startHere } from './start-world.ts';
import { stateFiles, stateFolderOf } from './state-folder.ts';
import { stopEmbeddedWorld } from './stop-embedded-world.ts';

/** The parts that are put in from outside. */
export interface OperatorParts {
  /** How ways back are planned; by the objects of the cluster itself unless told otherwise. */
  readonly plans?: PlansBeside;
  /** Starts the controllers beside store and runtime. */
  readonly startOperator?: StartOperator;
}

/** Everything the commands for a running world need, on this machine and on clusters. */
export function operatorApp({
  plans,
  startOperator = startEmbeddedOperator,
}: OperatorParts = {}): OperatorApp {
  return {
    connect: options => connect(options, plans),
    up: (request, tell, signal) =>
      request.detach ? startDetached(request, tell) : startHere(request, tell, signal, startOperator),
    down,
    checkMachine: options =>
      // What this machine can do says nothing of a cluster elsewhere.
      checkMachine(
        stateFolderOf(options.state),
        kubeconfigOf(connectOptions(options)) === undefined && options.context === undefined,
      ),
  };
}

async function connect(options: WorldOptions, plans: PlansBeside | undefined): Promise<Connection> {
  const { namespace } = options;
  const world = await connectWorld(connectOptions(options));
  const { cluster } = world;
  const verbs = operate(cluster, {
    ...(namespace === undefined ? {} : { namespace }),
    usualNamespace: world.namespace,
    podLogs: world.podLogs,
    plans: plans ?? plansBeside(cluster),
    observe: record => observeCurrent(cluster, record),
    user: () => world.whoAmI(),
    // In the world of this machine the operator is the process that answered.
    ...(world.world === 'kubernetes' ? { findOperator: () => findOperator(cluster, systemClock) } : {}),
  });
  const close = () => world.close();
  // In the world of this machine the definitions are those of the process that answered.
  if (world.world === 'embedded') return { verbs, close };
  const warning = await warnOfOldDefinitions(cluster).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const check = async () => [await checkDefinitions(cluster)];
  return { verbs, check, close, ...(warning === undefined ? {} : { warning }) };
}

async function down({ state, all }: DownRequest): Promise<Intent> {
  const stateFolder = stateFolderOf(state);
  const note = await readManagerNote(stateFiles(stateFolder).manager);
  const isUp = note !== undefined && isManagerAlive(note);
  if (!isUp && !all)
    throw new CodedError('NotUp', `nothing runs in ${stateFolder}`, { details: { stateFolder } });
  return {
    says: [
      ...(isUp ? [`The manager of ${stateFolder} (process ${note.pid}) ends.`] : []),
      all
        ? 'Every process of the cloud ends too: nobody is served any more. Objects and volumes stay.'
        : 'The processes of the cloud run on and serve; nothing looks after them until the next `afloat up`.',
    ],
    asks: all,
    carryOut: async () => {
      const { manager, tookDown } = await stopEmbeddedWorld(stateFolder, { takeDown: all });
      return [
        ...(manager ? [`ended the manager (process ${manager.pid})`] : []),
        ...(tookDown ? ['ended every process of the cloud'] : []),
      ];
    },
  };
}
