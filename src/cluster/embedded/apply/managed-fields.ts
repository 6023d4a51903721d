import { compareText, isObject, type Json, type JsonObject, sameJson } from '../../../base/json.ts';
import { shared } from '../store/shared-json.ts';
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
  /** As it stands in an object, where it does and is unchanged. */
  readonly entry?: JsonObject;
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
        entry,
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
  const owning = ownerships.filter(one => one.fields);
  return (owning.length > 1 ? owning.sort(order) : owning).map(one => one.entry ?? entryOf(one));
}

/** Metadata with these as its owners; without the field where there are none. */
export function withOwnerships<T extends { readonly managedFields?: readonly JsonObject[] }>(
  metadata: T,
  ownerships: readonly Ownership[],
): T {
  const managedFields = writeOwnerships(ownerships);
  if (managedFields.length > 0) return { ...metadata, managedFields };
  const { managedFields: _, ...rest } = metadata;
  return rest as T;
}

function entryOf({ manager, operation, apiVersion, time, fields, subresource }: Ownership): JsonObject {
  const entry = {
    manager,
    operation,
    apiVersion,
    time,
    fieldsType: 'FieldsV1',
    fieldsV1: fields as unknown as Json,
  };
  return subresource ? { ...entry, subresource } : entry;
}

function order(a: Ownership, b: Ownership): number {
  return (
    compareText(a.operation, b.operation) ||
    compareText(a.time, b.time) ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource ?? '', b.subresource ?? '')
  );
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

/** What is left to one when these fields are taken by others or gone. */
export function without(one: Ownership, taken: FieldSet | undefined, gone: FieldSet | undefined): Ownership {
  const fields = difference(difference(one.fields, taken), gone);
  if (fields === one.fields) return one;
  const { entry: _, ...rest } = one;
  return { ...rest, fields };
}

/** Ownership after a write that was not an apply: who changes a field owns it, and alone. */
export function afterUpdate(
  before: readonly Ownership[],
  { changed, removed }: Comparison,
  writer: Writer,
  time: string,
): Ownership[] {
  const left = before.map(one => without(one, changed, removed));
  if (!changed) return left;
  const own = left.find(one => isSameWriter(one, writer));
  const fields = sharedSet(union(own?.fields, changed));
  const others = left.filter(one => one !== own);
  others.push(ownershipOf(writer, time, fields));
  return others.length > mostUpdaters ? capped(others) : others;
}

/** What one writer owns from now on. */
export function ownershipOf(
  { manager, operation, apiVersion, subresource }: Writer,
  time: string,
  fields: FieldSet | undefined,
): Ownership {
  return { manager, operation, apiVersion, subresource, time, fields };
}

function sharedSet(set: FieldSet | undefined): FieldSet | undefined {
  return set && (shared(set as unknown as JsonObject) as unknown as FieldSet);
}

function timeless(list: readonly Ownership[]): JsonObject[] {
  return writeOwnerships(list.map(({ entry: _, ...one }) => ({ ...one, time: '' })));
}

/** Whether two say the same but for the times. */
export function sameOwnerships(a: readonly Ownership[], b: readonly Ownership[]): boolean {
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
