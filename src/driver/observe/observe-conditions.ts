import type { StoredObject } from '../../cluster/cluster.ts';
import { anyCondition, findCondition, trueCondition } from './condition.ts';
import { type Judgement, judged, notObserved, terminating } from './judgement.ts';
import type { Expectation } from './ready-when.ts';
import { statusOf } from './rollout.ts';

/** What the package, or we for a kind we know, say of when an object is done and when it has failed. None: by its conditions. */
export interface Expectations {
  readonly ready?: Expectation | undefined;
  readonly failed?: readonly Expectation[];
}

/**
 * What became of an object of any kind, by the rules of kstatus: a status about an earlier content says nothing; `Reconciling` is on its
 * way, `Stalled` has failed, `Ready` decides; an object without any of that is done when it is there. Where an expectation is given it
 * decides instead.
 */
export function observeConditions(object: StoredObject, { ready, failed = [] }: Expectations): Judgement {
  const early = terminating(object) ?? behind(object);
  if (early) return early;
  const broken = failed.find(one => one.isMet(object));
  if (broken) return because(object, 'failed', broken);
  const stalled = trueCondition(object, 'Stalled');
  if (stalled) return because(object, 'failed', stalled);
  if (ready) return ready.isMet(object) ? because(object, 'done', ready) : awaited(object, ready);
  const reconciling = trueCondition(object, 'Reconciling');
  if (reconciling) return because(object, 'progressing', reconciling);
  const condition = findCondition(object, 'Ready');
  if (!condition && anyCondition(object, 'Ready')) return behindText(object);
  if (condition) return because(object, condition.status === 'True' ? 'done' : 'progressing', condition);
  return judged('done', 'Exists', `${nameOf(object)} is there`);
}

function behind(object: StoredObject): Judgement | undefined {
  const { observedGeneration } = statusOf(object);
  return observedGeneration === undefined ? undefined : notObserved(object, observedGeneration);
}

function behindText(object: StoredObject): Judgement {
  return judged('progressing', 'NotObserved', `${nameOf(object)}: Ready is about an earlier content`);
}

function awaited(object: StoredObject, ready: Expectation): Judgement {
  const condition = ready.condition(object);
  if (condition) return because(object, 'progressing', condition);
  return judged('progressing', 'NotReady', `${nameOf(object)} waits for ${ready.text}`);
}

/** In the words of the condition, or of the expectation where there is none. */
function because(
  object: StoredObject,
  state: Judgement['state'],
  why: Expectation | { readonly type: string; readonly reason?: string; readonly message?: string },
): Judgement {
  const condition = 'isMet' in why ? why.condition(object) : why;
  if (!condition) return judged(state, words[state], `${nameOf(object)}: ${'text' in why ? why.text : ''}`);
  const { type, reason, message } = condition;
  return judged(state, reason || type, `${nameOf(object)}: ${message || reason || type}`);
}

const words = {
  absent: 'Absent',
  progressing: 'NotReady',
  done: 'Ready',
  failed: 'Failed',
  stuck: 'Stuck',
} as const;

function nameOf({ kind, metadata }: StoredObject): string {
  return `${kind} ${metadata.name}`;
}
