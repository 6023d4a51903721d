import type { OslcStatus } from '../../api/oslc.ts';
import type { Move } from '../../flow/move.ts';
import { one, type RecordObject } from '../our-objects.ts';
import { hasOpenWindow, opensNext } from '../plan/maintenance-window.ts';
import type { StepOutcome } from '../runtime/outcome.ts';
import { type FlowScope, timeText } from './flow-scope.ts';

/** What is waited for, and the yes that can be taken back until then, where one was given to this very move. */
interface ClosedWindow {
  readonly outcome: StepOutcome;
  readonly heard?: NonNullable<OslcStatus['heard']>;
}

/**
 * A person's word may come long after the window that the flow began in has closed: it is acted on in the next one, with room for it and its way
 * back where nothing is touched yet. On a way back nothing waits: it leads to where clients are served. Nor does a yes to a restore: with every
 * minute more would be lost than was agreed to. Undefined where nothing is waited for.
 */
export function waitForWindow(
  scope: Pick<FlowScope, 'world' | 'namespace' | 'planned' | 'object' | 'now'>,
  move: Pick<Move, 'id' | 'task' | 'gates'>,
  touchesFirst: boolean,
): ClosedWindow | undefined {
  const { world, namespace, planned, object, now } = scope;
  const consent = move.gates.find(({ kind }) => kind === 'consent');
  const { answers } = object.spec;
  if (!answers || answers.restore === 'yes' || !move.id.startsWith('main/')) return undefined;
  if (!touchesFirst && !consent) return undefined;
  const { maintenanceWindows: windows = [] } =
    one<RecordObject>(world.records, namespace, planned.deployment)?.spec ?? {};
  const needed = touchesFirst ? 2 * planned.step.estimateSeconds : 0;
  if (hasOpenWindow(windows, now, needed)) return undefined;
  const opens = opensNext(windows, now, needed);
  const room = needed > 0 ? ` with room for it and its way back (${needed} s)` : '';
  const when = opens === undefined ? ', and none of them is long enough' : `: ${timeText(opens)}`;
  const message = `The answer is heard; ${move.task} waits for a maintenance window${room}${when}.`;
  const until = opens === undefined ? {} : { until: timeText(opens) };
  return {
    outcome: { kind: 'wait', reason: 'WaitingForWindow', message, afterSeconds: 60 },
    ...(consent?.kind === 'consent' ? { heard: { question: consent.question, ...until } } : {}),
  };
}
