import { CodedError } from '../base/coded-error.ts';
import type { Machine } from '../plan/check-machine.ts';
import type { ObservedState } from '../plan/observed-state.ts';
import type { ResolvedRecord } from '../record/record.ts';
import { connectWorld } from './connect-world.ts';
import type { WorldOptions } from './operator-verbs.ts';
import { observeCurrent } from './plan-current.ts';
import { thisMachine } from './this-machine.ts';

/** A world that runs, as far as a plan is made from it. */
export interface PlanWorld {
  /** What runs of the cloud of a record. */
  observe(record: ResolvedRecord): Promise<ObservedState>;
  /** The machine everything runs on, where it is not a cluster. */
  readonly machine?: Machine;
  close(): Promise<void>;
}

/** The world that a plan is made from: the one that is named, else the one that runs on this machine, if any. */
export async function findPlanWorld(options: WorldOptions): Promise<PlanWorld | undefined> {
  const { state, kubeconfig, context } = options;
  const isNamed = state !== undefined || kubeconfig !== undefined || context !== undefined;
  try {
    const { cluster, world, close } = await connectWorld({
      ...(state === undefined ? {} : { stateFolder: state }),
      ...(kubeconfig === undefined ? {} : { kubeconfig }),
      ...(context === undefined ? {} : { context }),
    });
    return {
      observe: record => observeCurrent(cluster, record),
      ...(world === 'embedded' ? { machine: await thisMachine() } : {}),
      close,
    };
  } catch (error) {
    if (!isNamed && error instanceof CodedError && error.code === 'NotUp') return undefined;
    throw error;
  }
}
