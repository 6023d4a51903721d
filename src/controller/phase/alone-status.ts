import type { MadeObject, PhaseStatus } from '../../api/phase-kinds.ts';
import type { Notes } from '../../phase/phase-run.ts';
import type { Again } from '../../reconcile/work-queue.ts';
import { type OlderWord, olderReason } from '../../status/older-words.ts';
import type { EngineWorld } from '../engine-world.ts';
import { type PhaseObject, phaseOf } from '../our-objects.ts';
import { tellEvent } from '../runtime/events.ts';
import { finish } from '../runtime/finish.ts';
import type { StepOutcome } from '../runtime/outcome.ts';

type State = NonNullable<PhaseStatus['actualState']>;

/** Where a pass over a phase that stands alone came to. */
export interface AlonePass {
  readonly outcome: StepOutcome;
  /** Where it is not what follows from the outcome. */
  readonly state?: State;
  readonly notes?: Pick<Notes, 'progress' | 'done'>;
  /** What it made, where that is no longer what was written down. */
  readonly made?: readonly MadeObject[];
}

const says: Readonly<Partial<Record<State, string>>> = {
  uninitialized: 'Laid out, and not acted on.',
  uninstalled: 'What it made is gone.',
  deployed: 'What it brings is there.',
};

/** Writes down where a phase that stands alone is, in our words and in the older ones. */
export async function tellAlone(world: EngineWorld, object: PhaseObject, pass: AlonePass): Promise<Again> {
  const { outcome, notes } = pass;
  const { targetState, targetOpenstackServiceVersion: version } = object.spec;
  const actualState = pass.state ?? stateOf(object, outcome);
  const isOver = (outcome.kind === 'done' && actualState !== 'uninitialized') || outcome.kind === 'failed';
  const now = world.clock.wall();
  const phase = phaseOf(object);
  const { conditions: _conditions, ...before } = object.status ?? {};
  const wanted = targetState === '' ? 'deployed' : targetState;
  if (isOver) await tellEnd(world, object, outcome, now);
  return finish({
    reconciling: world.reconciling,
    object,
    status: {
      ...before,
      ...(notes ? { progress: notes.progress.slice(0, 64) } : {}),
      ...(notes?.done && notes.done.length > 0 ? { done: notes.done.slice(0, 512) } : {}),
      ...(pass.made ? { made: pass.made } : {}),
      ...(phase === 'test' && isOver ? { testResults: outcome.kind === 'done' ? 'passed' : 'failed' } : {}),
      ...(actualState === 'deployed' && version !== undefined
        ? { actualOpenstackServiceVersion: version }
        : {}),
      actualState,
      satisfied: actualState === wanted,
      reason: 'message' in outcome ? outcome.message.slice(0, 1024) : '',
      ...(isOver ? { finishedAt: new Date(now).toISOString() } : {}),
    },
    outcome,
    well: { reason: actualState === 'uninitialized' ? 'LaidOut' : 'Done', message: says[actualState] ?? '' },
    older: olderWord(object, actualState, outcome),
    now,
  });
}

/** A phase that removes is done when it has removed. */
function stateOf({ spec }: PhaseObject, { kind }: StepOutcome): State {
  if (kind === 'failed') return 'failed';
  if (kind === 'done') return spec.targetState === 'uninstalled' ? 'uninstalled' : 'deployed';
  return kind === 'wait' ? 'running' : 'error';
}

function olderWord(object: PhaseObject, state: State, outcome: StepOutcome): OlderWord {
  const phase = phaseOf(object);
  const message = ('message' in outcome ? outcome.message : (says[state] ?? '')).slice(0, 1024);
  if (state === 'uninitialized') return { type: 'Initializing', reason: 'LaidOut', message };
  if (state === 'uninstalled' && phase !== 'delete')
    return { type: 'Deployed', status: 'False', reason: 'UninstallSuccessful', message };
  if (outcome.kind === 'done') return { type: 'Deployed', reason: olderReason(phase, true), message };
  if (outcome.kind === 'failed') return { type: 'Failed', reason: olderReason(phase, false), message };
  return { type: outcome.kind === 'wait' ? 'Running' : 'Error', reason: outcome.reason, message };
}

async function tellEnd(
  world: EngineWorld,
  object: PhaseObject,
  outcome: StepOutcome,
  now: number,
): Promise<void> {
  const failed = outcome.kind === 'failed';
  const what = {
    type: failed ? ('Warning' as const) : ('Normal' as const),
    reason: failed ? outcome.reason : 'PhaseDone',
    message: failed ? outcome.message : `${object.metadata.name} is done`,
    key: `end ${object.metadata.generation}`,
  };
  await tellEvent(world.reconciling, object, what, now);
}
