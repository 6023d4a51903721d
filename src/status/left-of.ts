import type { Oslc } from '../api/oslc.ts';
import { sidesOf } from './serving.ts';

/** Moves that leave data as no version knows it where they fail. An expanded schema, or half of one, is survived by both. */
const changesData = /\/(migrate|contract|restore|remove-data|purge-data):/;

/**
 * Where a flow that needs a person left its service, by the moves it made. `before`: what ran before it serves, and nothing else, so that
 * another change can start there. `withdrawn`: an install that had passed its test was taken from traffic. `between`: anything else.
 */
export function leftOf(flow: Pick<Oslc, 'spec' | 'status'>): 'before' | 'withdrawn' | 'between' {
  const { end, moves = [] } = flow.status ?? {};
  if (end === 'withdrawn') return 'withdrawn';
  const { old, new: came } = sidesOf(flow);
  const isWhole = !moves.some(({ id, state }) => state === 'failed' && changesData.test(id));
  return old && !came && isWhole ? 'before' : 'between';
}
