import { sameJson } from '../base/json.ts';
import type { Change } from '../reconcile/informer.ts';
import type { FlowObject } from './our-objects.ts';

/**
 * Whether a change of a flow is more than how far it is: it began, settled, soaks until another moment or has ended, and whoever waits for it goes
 * on. One that is new is behind all that wait.
 */
export function flowTurns({ object, before }: Change): boolean {
  if (!before) return false;
  const [now, then] = [turnOf(object as FlowObject | undefined), turnOf(before as FlowObject)];
  return !sameJson(now, then);
}

function turnOf(flow: FlowObject | undefined): unknown {
  if (!flow) return 'gone';
  const { startedAt, settledAt, soakUntil, end } = flow.status ?? {};
  return [startedAt, settledAt, soakUntil, end, flow.spec.endSoak];
}
