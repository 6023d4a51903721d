import type { StructuralSchema } from '../../../api/schema/structural-schema.ts';
import type { JsonObject } from '../../../base/json.ts';
import { ClusterError, type FieldCause } from '../../cluster-error.ts';
import { compare } from './compare.ts';
import { type FieldSet, fieldPaths, intersection, union } from './field-set.ts';
import { fieldsOf } from './fields-of.ts';
import { isSameWriter, type Ownership, ownable, type Writer, without } from './managed-fields.ts';
import { mergeApplied, refuseDuplicates } from './merge.ts';
import { pruneApplied, withoutEmptied } from './prune-applied.ts';

/** What an apply is made of. */
export interface ApplyInput {
  readonly schema: StructuralSchema;
  readonly hasStatus: boolean;
  /** What is there, without managedFields; only type and name where nothing is there yet. */
  readonly live: JsonObject;
  readonly applied: JsonObject;
  readonly ownerships: readonly Ownership[];
  readonly writer: Writer;
  readonly force: boolean;
  readonly time: string;
}

/**
 * Server-side apply: what is applied is the writer's, what was and is no longer goes unless somebody else owns it too, and what
 * somebody else owns with another value is a conflict, or is taken with `force`. Throws `Conflict` with every field.
 */
export function applyObject(input: ApplyInput): { object: JsonObject; ownerships: Ownership[] } {
  const { schema, live, applied, writer, hasStatus } = input;
  refuseDuplicates(schema, applied);
  const last = input.ownerships.find(one => isSameWriter(one, writer));
  const others = input.ownerships.filter(one => one !== last);
  const spoken = fieldsOf(schema, applied);
  const merged = mergeApplied(schema, live, applied);
  const owned = others.reduce((all, one) => union(all, one.fields), spoken);
  const object = last?.fields ? pruneApplied(schema, merged, last.fields, owned) : merged;
  const { changed, removed } = compare(schema, live, object);
  const [taken, gone] = [ownable(changed, writer, hasStatus), ownable(removed, writer, hasStatus)];
  if (!input.force) refuseConflicts(others, taken);
  const left = others.map(one => without(one, taken, gone));
  const fields = ownable(spoken, writer, hasStatus);
  return {
    object: withoutEmptied(object) as JsonObject,
    ownerships: [...left, { ...writer, time: input.time, fields }],
  };
}

function refuseConflicts(others: readonly Ownership[], taken: FieldSet | undefined): void {
  const found = others.flatMap(one =>
    [...fieldPaths(intersection(one.fields, taken))].map(field => ({ field, by: sayWriter(one) })),
  );
  if (found.length === 0) return;
  const causes = found.map(
    ({ field, by }): FieldCause => ({
      field,
      reason: 'FieldManagerConflict',
      message: `conflict with ${by}`,
    }),
  );
  throw new ClusterError('Conflict', conflictMessage(found), { causes });
}

function conflictMessage(found: readonly { field: string; by: string }[]): string {
  const [first] = found;
  if (found.length === 1 && first)
    return `Apply failed with 1 conflict: conflict with ${first.by}: ${first.field}`;
  const lines = [...new Set(found.map(one => one.by))]
    .sort()
    .flatMap(by => [
      `conflicts with ${by}:`,
      ...found.filter(one => one.by === by).map(one => `- ${one.field}`),
    ]);
  return `Apply failed with ${found.length} conflicts: ${lines.join('\n')}`;
}

function sayWriter({ manager, subresource, operation, apiVersion }: Ownership): string {
  const name = `"${manager}"${subresource ? ` with subresource "${subresource}"` : ''}`;
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
