import { isObject, type Json, type JsonObject, sameJson } from '../../../base/json.ts';
import type { Comparison } from './compare.ts';
import { difference, type FieldSet, leaf, union } from './field-set.ts';

/** Who wrote, how and where: what makes one entry of `managedFields` different from another. */
export interface Writer {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: 'status' | undefined;
}

/** What one writer owns, since when. */
export interface Ownership extends Writer {
  readonly time: string;
  readonly fields: FieldSet | undefined;
}

/** So many writers by update are told apart; the oldest of more are put together. */
const mostUpdaters = 10;
const ancient = 'ancient-changes';

/** Fields that are the server's own: nobody owns them. */
const serverFields: FieldSet = {
  'f:apiVersion': leaf,
  'f:kind': leaf,
  'f:metadata': Object.fromEntries([
    ['.', leaf],
    ...['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'generation', 'managedFields']
      .concat('resourceVersion', 'deletionTimestamp', 'deletionGracePeriodSeconds')
      .map(name => [`f:${name}`, leaf] as const),
  ]),
};

/** Reads `metadata.managedFields`. Entries that make no sense are nobody's. */
export function readOwnerships(entries: readonly JsonObject[] | undefined): Ownership[] {
  return (entries ?? []).flatMap(entry => {
    const { manager, operation, apiVersion, subresource, time, fieldsV1 } = entry;
    if (operation !== 'Apply' && operation !== 'Update') return [];
    return [
      {
        manager: String(manager ?? ''),
        operation,
        apiVersion: String(apiVersion ?? ''),
        subresource: subresource === 'status' ? 'status' : undefined,
        time: String(time ?? ''),
        fields:
          isObject(fieldsV1) && Object.keys(fieldsV1).length > 0
            ? (fieldsV1 as unknown as FieldSet)
            : undefined,
      } satisfies Ownership,
    ];
  });
}

/** Writes `metadata.managedFields`, in the order of an API server; without those who own nothing. */
export function writeOwnerships(ownerships: readonly Ownership[]): JsonObject[] {
  return ownerships
    .filter(one => one.fields)
    .sort((a, b) => order(a, b))
    .map(({ manager, operation, apiVersion, time, fields, subresource }) => ({
      manager,
      operation,
      apiVersion,
      time,
      fieldsType: 'FieldsV1',
      fieldsV1: fields as unknown as Json,
      ...(subresource ? { subresource } : {}),
    }));
}

function order(a: Ownership, b: Ownership): number {
  const [left, right] = [a, b].map(one => [
    one.operation,
    one.time,
    one.manager,
    one.apiVersion,
    one.subresource ?? '',
  ]);
  const at = (left ?? []).findIndex((text, index) => text !== right?.[index]);
  return at < 0 ? 0 : (left?.[at] ?? '') < (right?.[at] ?? '') ? -1 : 1;
}

export function isSameWriter(a: Writer, b: Writer): boolean {
  return (
    a.manager === b.manager &&
    a.operation === b.operation &&
    a.apiVersion === b.apiVersion &&
    a.subresource === b.subresource
  );
}

/** The part of a set that a write through this door can own: the status there, everything else here. */
export function ownable(set: FieldSet | undefined, writer: Writer, hasStatus: boolean): FieldSet | undefined {
  if (!set) return undefined;
  if (writer.subresource === 'status') {
    const status = set['f:status'];
    return status ? { 'f:status': status } : undefined;
  }
  const { 'f:status': status, ...rest } = set;
  const kept = hasStatus || !status ? rest : set;
  return difference(Object.keys(kept).length > 0 ? kept : undefined, serverFields);
}

/** Ownership after a write that was not an apply: who changes a field owns it, and alone. */
export function afterUpdate(
  before: readonly Ownership[],
  { changed, removed }: Comparison,
  writer: Writer,
  time: string,
): Ownership[] {
  const left = before.map(one => ({ ...one, fields: difference(difference(one.fields, changed), removed) }));
  if (!changed) return left;
  const own = left.find(one => isSameWriter(one, writer));
  const fields = union(own?.fields, changed);
  const others = left.filter(one => one !== own);
  return capped([...others, { ...writer, time, fields }]);
}

/** Whether two say the same but for the times. */
export function sameOwnerships(a: readonly Ownership[], b: readonly Ownership[]): boolean {
  const timeless = (list: readonly Ownership[]) => writeOwnerships(list.map(one => ({ ...one, time: '' })));
  return sameJson(timeless(a), timeless(b));
}

function capped(ownerships: readonly Ownership[]): Ownership[] {
  const updaters = ownerships.filter(one => one.operation === 'Update' && one.fields).sort(order);
  if (updaters.length <= mostUpdaters) return [...ownerships];
  const old = updaters.slice(0, updaters.length - mostUpdaters + 1);
  const last = old.at(-1);
  if (!last) return [...ownerships];
  const together = old.reduce<FieldSet | undefined>((all, one) => union(all, one.fields), undefined);
  const rest = ownerships.filter(one => !old.includes(one));
  return [...rest, { ...last, manager: ancient, subresource: undefined, fields: together }];
}
