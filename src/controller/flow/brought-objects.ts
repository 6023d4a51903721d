import { group } from '../../api/group.ts';
import { type OwnedObject, putOwned } from '../../phase/act/put-owned.ts';
import type { Notes } from '../../phase/phase-run.ts';
import type { EngineWorld } from '../engine-world.ts';
import { accountFor } from '../hand-made.ts';
import type { FlowObject } from '../our-objects.ts';
import { portsAs } from '../phase/carry-out-phase.ts';
import type { StepOutcome } from '../runtime/outcome.ts';

/** Where nobody tells when something changed. */
const lookAgainSeconds = 5;

/** So long the tasks of a flow may take in all, where nobody says otherwise: they may wait for each other. */
const longestSeconds = 86_400;

/** On a flow: for which generation of it which of its tasks are done, also when they were cleaned up. */
const doneAnnotation = `${group}/done`;

/** Puts what a flow brings along that is no phase, and waits for it. No watch of the flow tells of what it owns. */
export async function putAll(
  world: EngineWorld,
  flow: FlowObject,
  objects: readonly OwnedObject[],
): Promise<StepOutcome> {
  const ports = portsAs(world, flow.metadata.namespace ?? '', accountFor(world, flow));
  const notes: Notes = { progress: [], backups: [], schemas: [], losses: [] };
  const outcome = await putOwned(runOf(world, flow), ports, notes, objects);
  if (outcome.kind !== 'failed') await keepDone(world, flow, notes.done ?? []);
  return outcome.kind === 'wait' ? { ...outcome, afterSeconds: lookAgainSeconds } : outcome;
}

function runOf(world: EngineWorld, flow: FlowObject) {
  const { startedAt } = flow.status ?? {};
  const now = world.clock.wall();
  return {
    now,
    startedAt: startedAt === undefined ? now : Date.parse(startedAt),
    deadlineSeconds: longestSeconds,
    done: new Set(doneIn(flow)),
    mayTake: () => false,
  };
}

/** Tasks that are done for this content of the flow. */
function doneIn({ metadata }: FlowObject): readonly string[] {
  const [generation, ...names] = (metadata.annotations?.[doneAnnotation] ?? '').split(', ');
  return generation === `${metadata.generation}` ? names : [];
}

/** Writes down which tasks are done. */
async function keepDone(world: EngineWorld, flow: FlowObject, over: readonly string[]): Promise<void> {
  const before = doneIn(flow);
  if (over.every(what => before.includes(what))) return;
  const { apiVersion, kind, metadata } = flow;
  const ref = { apiVersion, kind, name: metadata.name, namespace: metadata.namespace ?? '' };
  const names = [...new Set([...before, ...over])];
  const annotations = { [doneAnnotation]: [metadata.generation, ...names].join(', ') };
  await world.reconciling.patch(ref, { type: 'merge', value: { metadata: { annotations } } });
}
