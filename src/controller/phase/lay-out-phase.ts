import type { Again } from '../../reconcile/work-queue.ts';
import type { EngineWorld } from '../engine-world.ts';
import type { PhaseObject } from '../our-objects.ts';
import { finish } from '../runtime/finish.ts';
import { done, type StepOutcome } from '../runtime/outcome.ts';

/** A phase that belongs to no flow, or that says `uninitialized`: it is laid out, and nothing is done. */
export function layOutPhase(world: EngineWorld, object: PhaseObject): Promise<Again> {
  const isLaidOut = object.spec.targetState === 'uninitialized';
  const outcome: StepOutcome = isLaidOut
    ? done
    : {
        kind: 'blocked',
        reason: 'NotPlanned',
        message:
          'This phase belongs to no flow. Write a record and plan it, or lay it out with `targetState: uninitialized`.',
      };
  return finish({
    reconciling: world.reconciling,
    object,
    status: { actualState: 'uninitialized', satisfied: isLaidOut },
    outcome,
    well: { reason: 'LaidOut', message: 'Laid out, and not acted on.' },
    now: world.clock.wall(),
  });
}
