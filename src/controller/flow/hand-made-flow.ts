import type { JsonObject } from '../../base/json.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import type { Again } from '../../reconcile/work-queue.ts';
import type { OlderWord } from '../../status/older-words.ts';
import type { EngineWorld } from '../engine-world.ts';
import type { FlowObject } from '../our-objects.ts';
import { finish } from '../runtime/finish.ts';
import { done, type StepOutcome } from '../runtime/outcome.ts';
import { warnOfUnknown } from '../runtime/warn-of-unknown.ts';
import { broughtFlow } from './brought-flow.ts';
import { isBrought } from './flow-documents.ts';
import { stateOfService, timeText } from './flow-scope.ts';
import { handMadeKinds } from './hand-made-record.ts';
import { layOutPhases } from './lay-out-phases.ts';
import { planHandMade } from './plan-hand-made.ts';
import { startPoint, turnOf } from './start-point.ts';

/** How long until something that a person puts right elsewhere (a package that is pushed, a phase that is removed) is seen. */
const lookAgainSeconds = 10;

type FlowStatus = NonNullable<FlowObject['status']>;

/** Where a pass over a flow that is not planned came to. */
interface HandMadePass {
  readonly outcome: StepOutcome;
  readonly status?: Partial<FlowStatus>;
  readonly says?: string;
}

/**
 * A flow that a person wrote by hand. When its turn has come it is planned from what runs, as a step of a plan for that service alone, and
 * the step is written into it: from then on it is a flow like any other. `uninitialized` is what it says: nothing is acted on.
 */
export async function handMadeFlow(world: EngineWorld, object: FlowObject): Promise<Again> {
  await warnOfUnknown(world, object);
  const pass = await passOf(world, object);
  if (pass === 'planned') return { afterSeconds: 0 };
  const { outcome, status = {}, says = '' } = pass;
  const words = { ...wordsOf(object, outcome), ...status };
  const again = await finish({
    reconciling: world.reconciling,
    object,
    status: { ...words, reason: 'message' in outcome ? outcome.message.slice(0, 1024) : '' },
    outcome,
    well: { reason: words.actualState === 'uninitialized' ? 'LaidOut' : 'Done', message: says },
    older: olderWord(words.actualState, outcome, says),
    now: world.clock.wall(),
  });
  return outcome.kind === 'blocked' ? (again ?? { afterSeconds: lookAgainSeconds }) : again;
}

async function passOf(world: EngineWorld, object: FlowObject): Promise<HandMadePass | 'planned'> {
  const { targetState, flowKind, serviceName } = object.spec;
  if (targetState === 'uninitialized') return { outcome: done, says: 'Laid out, and not acted on.' };
  if (isBrought(object)) return broughtPass(world, object);
  if (flowKind === 'all-phases') {
    await layOutPhases(world, object);
    const says = 'All phases are laid out; each is acted on when its `targetState` is changed.';
    return { outcome: done, status: { actualState: 'deployed', satisfied: true }, says };
  }
  if (!Object.hasOwn(handMadeKinds, flowKind)) {
    const known = [...Object.keys(handMadeKinds), 'all-phases'].join(', ');
    return blocked('FlowKindUnknown', `There is no flow ${flowKind}; there are ${known}.`);
  }
  const state = stateOfService(world, object.metadata.namespace ?? '', serviceName);
  const start = startPoint(world, object, state);
  if (start.kind !== 'done') return { outcome: start };
  const plan = await planHandMade(world, object, state);
  if ('not' in plan) return { outcome: plan.not };
  if ('nothing' in plan)
    return { outcome: done, status: nothingToDo(world, plan.nothing), says: plan.nothing };
  await writePlanned(world, object, plan.planned);
  return 'planned';
}

/** It is acted on until all of it is there, once for each content of its spec. */
async function broughtPass(world: EngineWorld, object: FlowObject): Promise<HandMadePass> {
  const { metadata, status: before } = object;
  const says = 'What it brings is there.';
  const isOld = before?.observedGeneration !== metadata.generation;
  if (!isOld && before?.finishedAt !== undefined) {
    const { startedAt, finishedAt } = before;
    const status = { ...(startedAt === undefined ? {} : { startedAt }), finishedAt };
    return { outcome: done, status: { ...status, actualState: 'deployed', satisfied: true }, says };
  }
  const now = timeText(world.clock.wall());
  const startedAt = (isOld ? undefined : before?.startedAt) ?? now;
  const state = stateOfService(world, metadata.namespace ?? '', object.spec.serviceName);
  const turn = turnOf(world, object, state);
  const outcome = turn.kind === 'done' ? await broughtFlow(world, object) : turn;
  if (outcome.kind === 'done')
    return {
      outcome,
      status: { startedAt, finishedAt: now, actualState: 'deployed', satisfied: true },
      says,
    };
  const states = { wait: 'running', blocked: 'error', failed: 'failed' } as const;
  return { outcome, status: { startedAt, actualState: states[outcome.kind], satisfied: false } };
}

function blocked(reason: string, message: string): HandMadePass {
  return { outcome: { kind: 'blocked', reason, message } };
}

/** On the very version that was looked at: who changed it meanwhile is looked at again. */
async function writePlanned(
  world: EngineWorld,
  { apiVersion, kind, metadata }: FlowObject,
  planned: object,
): Promise<void> {
  const { name, namespace, resourceVersion } = metadata;
  const ref = { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
  const value = { metadata: { resourceVersion }, spec: { planned } };
  try {
    await world.reconciling.patch(ref, { type: 'merge', value: value as unknown as JsonObject });
  } catch (error) {
    if (!isReason(error, 'Conflict', 'NotFound')) throw error;
  }
}

function nothingToDo(world: EngineWorld, because: string): Partial<FlowStatus> {
  const at = timeText(world.clock.wall());
  return {
    ...{ startedAt: at, finishedAt: at, end: 'operational', because },
    ...{ actualState: 'deployed', satisfied: true },
  };
}

function wordsOf({ spec }: FlowObject, { kind }: StepOutcome): Pick<FlowStatus, 'actualState' | 'satisfied'> {
  if (kind === 'done' && spec.targetState === 'uninitialized')
    return { actualState: 'uninitialized', satisfied: true };
  return { actualState: kind === 'blocked' ? 'error' : 'pending', satisfied: false };
}

function olderWord(state: FlowStatus['actualState'], outcome: StepOutcome, says: string): OlderWord {
  if (state === 'deployed') return { type: 'Deployed', reason: 'ReconcileSuccessful', message: says };
  if (state === 'uninitialized') return { type: 'Initializing', reason: 'LaidOut', message: says };
  const said = 'reason' in outcome ? outcome : { reason: 'Done', message: says };
  const types = { blocked: 'Error', failed: 'Failed', wait: 'Running', done: 'Pending' } as const;
  const type = state === 'pending' ? 'Pending' : types[outcome.kind];
  return { type, reason: said.reason, message: said.message };
}
