import type { EngineWorld } from '../engine-world.ts';
import { isHandMade, knownPhase, knownPhaseName, recordIn } from '../hand-made.ts';
import { isSoaking, type ServiceState } from '../observe/service-state.ts';
import { byAge, type FlowObject } from '../our-objects.ts';
import { done, type StepOutcome } from '../runtime/outcome.ts';

/**
 * Whether a hand-written flow may begin where its service is now. An install begins at planning: at the object `<service>-planning` where
 * somebody wrote one, otherwise at the flow's own check. Everything else begins at a service that a flow made operational.
 */
export function startPoint(world: EngineWorld, object: FlowObject, state: ServiceState): StepOutcome {
  const turn = turnOf(world, object, state);
  if (turn.kind !== 'done') return turn;
  return object.spec.flowKind === 'install' ? atPlanning(world, object, state) : atOperational(object, state);
}

/** Whether it is the turn of a hand-written flow: its service is nobody else's, and no flow of it is before this one. */
export function turnOf(world: EngineWorld, object: FlowObject, state: ServiceState): StepOutcome {
  const record = recordIn(world, object.metadata.namespace ?? '');
  const { serviceName } = object.spec;
  if (record?.spec.services.some(({ name }) => name === serviceName))
    return {
      kind: 'blocked',
      reason: 'OfRecord',
      message: `${serviceName} is in the record ${record.metadata.name}. Change the record: two who say what it shall be would fight.`,
    };
  const before = flowBefore(object, state);
  if (before)
    return {
      kind: 'wait',
      reason: 'WaitsForFlow',
      message: `Waits for ${before.metadata.name}: a service has one flow at a time.`,
      afterSeconds: 10,
    };
  return done;
}

/** An older flow of the service that has not come to its end and can. What only soaks ends its soak when this one is planned. */
function flowBefore(object: FlowObject, { flows }: ServiceState): FlowObject | undefined {
  return flows.find(other => {
    if (other.metadata.uid === object.metadata.uid || other.status?.end !== undefined) return false;
    if (other.spec.planned) return !isSoaking(other);
    const isLaidOut = other.spec.targetState === 'uninitialized';
    const isStalled = other.status?.conditions?.some(
      ({ type, status }) => type === 'Stalled' && status === 'True',
    );
    // One that was brought along, or only lays phases out, has no end of its own.
    const isOver = other.status?.actualState === 'deployed';
    return isHandMade(other) && !isLaidOut && !isStalled && !isOver && byAge(other, object) < 0;
  });
}

function atPlanning(world: EngineWorld, { metadata, spec }: FlowObject, state: ServiceState): StepOutcome {
  const { serviceName } = spec;
  if ((state.current?.spec.parts.length ?? 0) > 0)
    return {
      kind: 'blocked',
      reason: 'AlreadyThere',
      message: `${serviceName} is already there. Write \`flowKind: upgrade\` to change it.`,
    };
  const name = knownPhaseName(serviceName, 'planning');
  const planning = knownPhase(world, metadata.namespace, serviceName, 'planning');
  // One that is only laid out asks for nothing; one of a flow is not somebody's word.
  if (!planning || planning.spec.move || planning.spec.targetState === 'uninitialized') return done;
  const { actualState, reason = '' } = planning.status ?? {};
  if (actualState === 'deployed') return done;
  const failed = actualState === 'failed' || actualState === 'error';
  return failed
    ? { kind: 'blocked', reason: 'StartPointFailed', message: `${name} failed: ${reason}` }
    : {
        kind: 'wait',
        reason: 'WaitsForStartPoint',
        message: `Waits for ${name} to be deployed.`,
        afterSeconds: 5,
      };
}

function atOperational({ spec }: FlowObject, { current }: ServiceState): StepOutcome {
  if ((current?.spec.parts.length ?? 0) > 0) return done;
  const message = `${spec.serviceName} is not operational: no flow installed it here. Write an Oslc with \`flowKind: install\` first.`;
  return { kind: 'blocked', reason: 'NotOperational', message };
}
