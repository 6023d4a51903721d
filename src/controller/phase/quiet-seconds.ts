import { sameJson } from '../../base/json.ts';
import type { Notes, Outcome } from '../../phase/phase-run.ts';
import { type PhaseObject, summarySeconds } from '../our-objects.ts';

/**
 * For how many seconds what a pass came to need not be told yet: in the first moments after a phase was taken on nobody is told how far it is,
 * for most are over by then, or further. Zero where there is more to tell than that: it is over, or noted what a later pass goes by.
 */
export function quietSeconds({ status }: PhaseObject, notes: Notes, outcome: Outcome, now: number): number {
  // What asks for another pass at once may go by what this one tells.
  if (outcome.kind !== 'wait' || outcome.afterSeconds === 0) return 0;
  const { progress: _progress, traffic, ...kept } = notes;
  const hasNoted = Object.values(kept).some(list => list.length > 0);
  if (hasNoted || (traffic && !sameJson(traffic, status?.traffic))) return 0;
  const takenOn = Date.parse(status?.claimedAt ?? '');
  // A clock that was set back must not silence it for long.
  return Math.min(summarySeconds, Math.max(0, summarySeconds - (now - takenOn) / 1000)) || 0;
}
