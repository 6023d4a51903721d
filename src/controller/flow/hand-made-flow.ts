import type { Again } from '../../reconcile/work-queue.ts';
import type { EngineWorld } from '../engine-world.ts';
import type { FlowObject } from '../our-objects.ts';
import { finish } from '../runtime/finish.ts';
import { done, type StepOutcome } from '../runtime/outcome.ts';

/** A flow that a person wrote by hand. `uninitialized` is what it says: nothing is acted on. */
export function layOut(world: EngineWorld, object: FlowObject): Promise<Again> {
  const isLaidOut = object.spec.targetState === 'uninitialized';
  const outcome: StepOutcome = isLaidOut
    ? done
    : {
        kind: 'blocked',
        reason: 'NotPlanned',
        message:
          'This flow is no step of a plan. Write a record and plan it, or lay it out with `targetState: uninitialized`.',
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
