import { CodedError } from '../base/coded-error.ts';
import type { PackageSource } from '../package/source.ts';
import type { Machine } from '../plan/check-machine.ts';
import type { ObservedState } from '../plan/observed-state.ts';
import type { ResolvedRecord } from '../record/record.ts';
import { connectOptions } from './connect-options.ts';
import { connectWorld, kubeconfigOf } from './connect-world.ts';
import { pushedPackages } from './open-packages.ts';
import type { WorldOptions } from './operator-verbs.ts';
import { observeCurrent } from './plan-current.ts';
import { thisMachine } from './this-machine.ts';

/** A world that runs, as far as a plan is made from it. */
export interface PlanWorld {
  /** The namespace that is meant where neither the record nor a person names one. */
  readonly namespace: string;
  /** What runs of the cloud of a record. */
  observe(record: ResolvedRecord): Promise<ObservedState>;
  /** Packages that were brought into a namespace before. */
  pushed(namespace: string): PackageSource;
  /** The machine everything runs on, where it is not a cluster. */
  readonly machine?: Machine;
  close(): Promise<void>;
}

/** The world that a plan is made from: the one that is named, else the one that runs on this machine, if any. */
export async function findPlanWorld(options: WorldOptions): Promise<PlanWorld | undefined> {
  const where = connectOptions(options);
  const isNamed = Object.keys(where).length > 0 || kubeconfigOf(where) !== undefined;
  try {
    const { cluster, world, namespace, close } = await connectWorld(where);
    return {
      namespace,
      observe: record => observeCurrent(cluster, record),
      pushed: name => pushedPackages(cluster, name),
      ...(world === 'embedded' ? { machine: await thisMachine() } : {}),
      close,
    };
  } catch (error) {
    if (!isNamed && error instanceof CodedError && error.code === 'NotUp') return undefined;
    throw error;
  }
}
