import { CodedError } from '../../base/coded-error.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import { sayObject } from '../object/say-object.ts';
import { done, type Outcome, type PhasePorts } from '../phase-run.ts';

/**
 * Takes away what a phase that stands alone made, in the reverse of the order it was made in, one kind after the other. What somebody else
 * made, or what another phase has taken over since, is left as it is.
 */
export async function removeOwned(
  { drivers }: Pick<PhasePorts, 'drivers'>,
  made: readonly ClusterObject[],
): Promise<Outcome> {
  for (const kind of kindsInReverse(made)) {
    const going: string[] = [];
    for (const object of made.filter(one => one.kind === kind).toReversed())
      if (!(await isGone(drivers, object))) going.push(sayObject(object));
    if (going.length > 0)
      return {
        kind: 'wait',
        reason: 'TakingDown',
        message: `Waits for ${going.join(', ')} to be gone.`,
        afterSeconds: 1,
      };
  }
  return done;
}

function kindsInReverse(made: readonly ClusterObject[]): string[] {
  return [...new Set(made.map(({ kind }) => kind).toReversed())];
}

async function isGone(drivers: PhasePorts['drivers'], object: ClusterObject): Promise<boolean> {
  try {
    return (await drivers.for(object).remove(object)) === 'gone';
  } catch (error) {
    // Not ours, or of a phase that took it over: it stays.
    if (error instanceof CodedError && error.code === 'ObjectNotOurs') return true;
    throw error;
  }
}
