import { sameJson } from '../../base/json.ts';
import type { StoredObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import type { Reconciling } from '../../reconcile/reconcile.ts';
import type { Again } from '../../reconcile/work-queue.ts';
import { type Condition, type NewCondition, setCondition, summariseReady } from '../../status/conditions.ts';
import { type OlderWord, olderConditions } from '../../status/older-words.ts';
import type { StepOutcome } from './outcome.ts';

/** What the end of a pass is written from. */
export interface Finishing {
  readonly reconciling: Reconciling;
  /** The object as the pass saw it. */
  readonly object: StoredObject;
  /** Everything of the status that is particular to the kind. */
  readonly status: Readonly<Record<string, unknown>>;
  readonly outcome: StepOutcome;
  /** What is said where all is well. */
  readonly well: { readonly reason: string; readonly message: string };
  /** Whether clients are served, where the kind can tell. */
  readonly available?: Pick<NewCondition, 'status' | 'reason' | 'message'>;
  /** The same in the older words, where a person wrote the object by hand. */
  readonly older?: OlderWord;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * The one place where a pass becomes a status: conditions from the outcome, `Ready` summarised, `observedGeneration`, and one write, of this
 * very version of the object, only where something differs. Returns when to look again.
 */
export async function finish(finishing: Finishing): Promise<Again> {
  const { reconciling, object, status, outcome } = finishing;
  const next = {
    ...status,
    observedGeneration: object.metadata.generation ?? 0,
    conditions: conditionsOf(finishing),
  };
  if (!sameJson(next, object['status'] ?? {}) && !(await isPut(reconciling, { ...object, status: next })))
    return { afterSeconds: 0 };
  if ('afterSeconds' in outcome && outcome.afterSeconds !== undefined)
    return { afterSeconds: outcome.afterSeconds };
  return undefined;
}

/** False where somebody else changed the object since the pass looked at it: then another pass looks again. */
async function isPut(reconciling: Reconciling, object: StoredObject): Promise<boolean> {
  try {
    await reconciling.updateStatus(object);
    return true;
  } catch (error) {
    if (isReason(error, 'Conflict')) return false;
    if (isReason(error, 'NotFound')) return true;
    throw error;
  }
}

function conditionsOf({ object, outcome, well, available, older, now }: Finishing): Condition[] {
  const { conditions: before } = (object['status'] ?? {}) as { conditions?: readonly Condition[] };
  const observedGeneration = object.metadata.generation ?? 0;
  const at = new Date(now).toISOString();
  const goesOn = outcome.kind === 'wait';
  const stalls = outcome.kind === 'blocked' || outcome.kind === 'failed';
  const said = outcome.kind === 'done' ? well : outcome;
  const set: NewCondition[] = [
    ...(available ? [{ type: 'Available' as const, ...available, observedGeneration }] : []),
    {
      type: 'Progressing',
      status: goesOn ? 'True' : 'False',
      reason: goesOn ? said.reason : 'Idle',
      message: goesOn ? said.message : '',
      observedGeneration,
    },
    {
      type: 'Stalled',
      status: stalls ? 'True' : 'False',
      reason: stalls ? said.reason : 'Idle',
      message: stalls ? said.message : '',
      observedGeneration,
    },
  ];
  set.push(...(older ? olderConditions(before ?? [], older, observedGeneration) : []));
  const conditions = set.reduce<readonly Condition[]>(
    (all, condition) => setCondition(all, condition, at),
    before ?? [],
  );
  return summariseReady(conditions, well, at, observedGeneration);
}
