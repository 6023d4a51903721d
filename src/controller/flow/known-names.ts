import type { MoveTask } from '../../api/flow-kinds.ts';
import type { PhaseName } from '../../api/phase-names.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import type { Flow } from '../../flow/flow.ts';
import type { Move } from '../../flow/move.ts';
import { knownPhase, knownPhaseName } from '../hand-made.ts';
import { type FlowObject, one, type PhaseObject } from '../our-objects.ts';
import type { FlowScope } from './flow-scope.ts';

/** The task that a phase is there for; the others of it prepare that one. */
const mainTasks: Readonly<Record<PhaseName, readonly MoveTask[]>> = {
  planning: ['check'],
  install: ['apply'],
  test: ['test'],
  trafficrollout: ['give-traffic'],
  operational: ['settle', 'adjust'],
  trafficdrain: ['take-traffic'],
  upgrade: ['apply'],
  rollback: ['apply'],
  delete: ['remove'],
};

/**
 * The name `<service>-<phase>` for the move that stands for its phase in a hand-written flow, as existing programs look for it; undefined
 * for every other move, and where an object of that name is not an ended flow's. One that an ended flow left is taken away: it told its
 * part, and what serves belongs to no phase.
 */
export async function takeKnownName(scope: FlowScope, move: Move): Promise<string | undefined> {
  const { world, object, namespace, planned, flow } = scope;
  if (!standsForPhase(flow, move)) return undefined;
  const { service } = planned.step;
  const name = knownPhaseName(service, move.phase);
  const found = knownPhase(world, namespace, service, move.phase);
  if (!found || found.spec.move?.oslc === object.metadata.name) return name;
  if (!found.spec.move || !isOver(scope, found)) return undefined;
  const { apiVersion, kind, metadata } = found;
  try {
    await world.reconciling.delete(
      { apiVersion, kind, name, namespace },
      { preconditions: { uid: metadata.uid }, propagation: 'Background' },
    );
  } catch (error) {
    if (!isReason(error, 'NotFound', 'Conflict')) throw error;
  }
  return name;
}

/** Of the moves of the way that was asked for, the last one that does what the phase is there for: when it is done, so is the phase. */
function standsForPhase({ paths }: Flow, move: Move): boolean {
  const all = paths['main']?.moves ?? [];
  const main = all.filter(({ phase, task }) => phase === move.phase && mainTasks[move.phase].includes(task));
  return main.at(-1)?.id === move.id;
}

function isOver({ world, namespace }: FlowScope, { spec }: PhaseObject): boolean {
  const flow = spec.move ? one<FlowObject>(world.flows, namespace, spec.move.oslc) : undefined;
  return flow?.status?.end !== undefined || flow === undefined;
}
