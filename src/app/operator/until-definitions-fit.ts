import type { Clock } from '../../cluster/clock.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { bringDefinitions, findOtherDefinitions, sayNewer, sayOlder } from '../definitions.ts';
import type { OperatorLog } from './operator-log.ts';
import type { OperatorState } from './operator-state.ts';

/** What is needed to wait. */
export interface Waiting {
  readonly cluster: Cluster;
  readonly log: OperatorLog;
  readonly clock: Clock;
  readonly state: OperatorState;
  readonly signal: AbortSignal;
}

/** How long until it is looked again whether the definitions fit, and whether they can be read where the cluster did not answer. */
const lookAgainSeconds = { other: 10, unread: 2 } as const;

/**
 * Waits until no definition in the cluster is older than this program: the API server would drop fields that it writes, and it would wait
 * for ever to see them. Says in log and probe what it waits for. Newer ones are no hindrance, and told once. False when told to stop before.
 */
export async function untilDefinitionsFit({ cluster, log, clock, state, signal }: Waiting): Promise<boolean> {
  let said = '';
  while (!signal.aborted) {
    const hindrance = await hindranceOf(cluster, log);
    if (hindrance === undefined) {
      if (said !== '') log.info('the definitions fit now');
      return true;
    }
    const { words, againSeconds } = hindrance;
    state.waitFor(words);
    if (words !== said) log.error(words, { againSeconds });
    said = words;
    await clock.sleep(againSeconds * 1000, signal);
  }
  return false;
}

interface Hindrance {
  readonly words: string;
  readonly againSeconds: number;
}

/** Why it must not act; undefined where it may. */
async function hindranceOf(cluster: Cluster, log: OperatorLog): Promise<Hindrance | undefined> {
  try {
    const { older, newer } = await findOtherDefinitions(cluster);
    if (newer.length > 0) log.warn(sayNewer(newer));
    return older.length === 0
      ? undefined
      : { words: `${sayOlder(older)}. ${bringDefinitions}`, againSeconds: lookAgainSeconds.other };
  } catch (error) {
    const words = `the definitions cannot be read: ${(error as Error).message}`;
    if (!isReason(error, 'Forbidden')) return { words, againSeconds: lookAgainSeconds.unread };
    // The right comes with the roles: where it is missing they are older than this program, and so are the definitions.
    const advice = 'Bring roles and definitions to this version: afloat install';
    return { words: `${words}. ${advice}`, againSeconds: lookAgainSeconds.other };
  }
}
