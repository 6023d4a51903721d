import type { Move } from '../../flow/move.ts';
import { one, type RecordObject } from '../our-objects.ts';
import { hasOpenWindow } from '../plan/maintenance-window.ts';
import type { StepOutcome } from '../runtime/outcome.ts';
import type { FlowScope } from './flow-scope.ts';

/**
 * A person's word may come long after the window that the flow began in has closed: it is acted on in the next one, with room for it and its way
 * back where nothing is touched yet. On a way back nothing waits: it leads to where clients are served. Nor does a yes to a restore: with every
 * minute more would be lost than was agreed to. Undefined where nothing is waited for.
 */
export function waitForWindow(
  scope: Pick<FlowScope, 'world' | 'namespace' | 'planned' | 'object' | 'now'>,
  move: Pick<Move, 'id' | 'task' | 'gates'>,
  touchesFirst: boolean,
): StepOutcome | undefined {
  const { world, namespace, planned, object, now } = scope;
  const isAnswer = touchesFirst || move.gates.some(({ kind }) => kind === 'consent');
  const { answers } = object.spec;
  if (!answers || answers.restore === 'yes' || !isAnswer || !move.id.startsWith('main/')) return undefined;
  const { spec } = one<RecordObject>(world.records, namespace, planned.deployment) ?? {};
  const needed = touchesFirst ? 2 * planned.step.estimateSeconds : 0;
  if (hasOpenWindow(spec?.maintenanceWindows ?? [], now, needed)) return undefined;
  const message = `The answer is heard; ${move.task} waits for a maintenance window${needed > 0 ? ` with room for it and its way back (${needed} s)` : ''}.`;
  return { kind: 'wait', reason: 'WaitingForWindow', message, afterSeconds: 60 };
}
