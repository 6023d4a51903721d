import { flowLabel, managedBy, managedByLabel, serviceLabel } from '../../api/labels.ts';
import type { MoveStatus } from '../../api/phase-kinds.ts';
import { digestJson } from '../../base/digest.ts';
import type { ClusterObject, OwnerReference } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import type { Move } from '../../flow/move.ts';
import type { MoveState } from '../../flow/next-move.ts';
import { isHandMade } from '../hand-made.ts';
import { type FlowObject, type PhaseObject, phaseOf, typeOfPhase } from '../our-objects.ts';
import { flowLabelValue } from '../store/manifest-store.ts';
import type { FlowScope } from './flow-scope.ts';
import { takeKnownName } from './known-names.ts';

/** The name of the phase of a move: the same whenever it is asked for, so that a repeated act finds its own object. */
export function phaseName(flow: string, service: string, move: Pick<Move, 'id' | 'task' | 'side'>): string {
  const hash = digestJson([flow, move.id]).slice(7, 17);
  return `${service.slice(0, 30)}-${move.task}-${move.side}-${hash}`;
}

/** Begins a move: makes its phase, unless an earlier pass did. */
export async function beginMove(scope: FlowScope, move: Move, aborted: boolean): Promise<void> {
  const { world, object, namespace, planned } = scope;
  const known = isHandMade(object) ? await takeKnownName(scope, move) : undefined;
  const { service, to, from } = planned.step;
  const { name } = object.metadata;
  const version = (move.side === 'new' ? to : from)?.version;
  const phase: ClusterObject = {
    ...typeOfPhase(move.phase),
    metadata: {
      name: known ?? phaseName(name, service, move),
      namespace,
      labels: {
        [managedByLabel]: managedBy,
        [serviceLabel]: service,
        [flowLabel]: flowLabelValue(name),
      },
      // Programs that know the service by its operational object count on it when the flow is gone.
      ...(known !== undefined && move.phase === 'operational' ? {} : { ownerReferences: [ownerOf(object)] }),
    },
    spec: {
      openstackServiceName: service,
      source: { type: 'plan', location: planned.plan },
      ...(version === undefined ? {} : { targetOpenstackServiceVersion: version }),
      ...(aborted ? { aborted: true } : {}),
      move: {
        oslc: name,
        ...{ id: move.id, task: move.task, side: move.side },
        ...(move.slice === undefined ? {} : { slice: move.slice }),
        ...(move.databases ? { databases: [...move.databases] } : {}),
      },
    },
  };
  try {
    await world.reconciling.create(phase);
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
}

function ownerOf({ apiVersion, kind, metadata }: FlowObject): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true };
}

/** What the phase of a move says of it. */
export function stateOfPhase({ status }: PhaseObject): MoveState {
  if (status?.actualState === 'deployed' || status?.actualState === 'uninstalled') return 'done';
  return status?.actualState === 'failed' || status?.actualState === 'error' ? 'failed' : 'running';
}

/** What every move of a flow reports, by its id. */
export function moveStates(phases: readonly PhaseObject[]): ReadonlyMap<string, MoveState> {
  return new Map(phases.map(phase => [phase.spec.move?.id ?? '', stateOfPhase(phase)]));
}

/** The moves that were begun, the first one first, for the status of their flow. */
export function moveStatuses(phases: readonly PhaseObject[]): MoveStatus[] {
  return phases
    .map(phase => {
      const { startedAt, finishedAt, reason } = phase.status ?? {};
      const state = stateOfPhase(phase);
      return {
        id: phase.spec.move?.id ?? '',
        phase: phaseOf(phase),
        name: phase.metadata.name,
        state: state === 'pending' ? ('running' as const) : state,
        ...(reason === undefined || reason === '' ? {} : { message: reason }),
        ...(startedAt === undefined ? {} : { startedAt }),
        ...(finishedAt === undefined ? {} : { finishedAt }),
      };
    })
    .sort((a, b) => compareMoves(a, b));
}

/** One move begins when the one before has ended, so the times tell their order; what has not begun is the last. */
function compareMoves(a: MoveStatus, b: MoveStatus): number {
  const [one, other] = [a.startedAt ?? '9', b.startedAt ?? '9'];
  if (one !== other) return one < other ? -1 : 1;
  const [end, otherEnd] = [a.finishedAt ?? '9', b.finishedAt ?? '9'];
  return end < otherEnd ? -1 : end > otherEnd ? 1 : 0;
}
