import type { MoveTask } from '../../api/flow-kinds.ts';
import type { Backup } from '../../api/service-revision.ts';
import { moveWords } from '../../status/move-words.ts';
import type { FlowObject, RevisionObject } from '../our-objects.ts';

/**
 * Whether code that knows this schema works on what a backup holds: it was expanded that far, and nothing that the code needs was contracted.
 * Schemas have no order of their own; it is the one in which revisions came with them. What cannot be told does not fit.
 */
export function backupFits(
  { database, expandedTo, contractedTo }: Backup,
  head: string,
  all: readonly RevisionObject[],
): boolean {
  if (head === expandedTo || head === contractedTo) return true;
  if (expandedTo === undefined || contractedTo === undefined) return false;
  const came = all
    .toSorted((a, b) => a.spec.number - b.spec.number)
    .flatMap(({ spec }) => spec.schemas.filter(schema => schema.database === database));
  const at = (mark: string) => came.findIndex(schema => schema.expandedTo === mark);
  const [first, own, last] = [at(contractedTo), at(head), at(expandedTo)];
  return first >= 0 && first <= own && own <= last;
}

/** Moves that leave a schema that no version knows, when they stop half way. */
const inOnePiece: ReadonlySet<MoveTask> = new Set(['migrate', 'contract', 'restore']);

/**
 * Databases whose last change did not come to its end: what is known of their schema is from before it, and a backup that is taken now may
 * hold a half of it. The flows must come newest first.
 */
export function unsureDatabases(flows: readonly FlowObject[]): readonly string[] {
  const decided = new Map<string, boolean>();
  for (const { spec, status } of flows) {
    const changes = (status?.moves ?? []).filter(({ id }) => {
      const task = moveWords(id)?.task;
      return task !== undefined && inOnePiece.has(task);
    });
    const last = changes.at(-1);
    if (!last) continue;
    for (const { database, action } of spec.planned?.step.data ?? []) {
      const isMeant = inOnePiece.has(action as MoveTask);
      if (isMeant && !decided.has(database)) decided.set(database, last.state === 'done');
    }
  }
  return [...decided].filter(([, isDone]) => !isDone).map(([database]) => database);
}
