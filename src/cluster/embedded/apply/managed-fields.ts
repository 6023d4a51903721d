import { compareText, isObject, type Json, type JsonObject, sameJson } from '../../../base/json.ts';
import { isShared, shared } from '../store/shared-json.ts';
import type { Comparison } from './compare.ts';
import { difference, type FieldSet, hasParts, leaf, union } from './field-set.ts';

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
  const ownerships: Ownership[] = [];
  for (const entry of entries ?? []) {
    const { manager, operation, apiVersion, subresource, time, fieldsV1 } = entry;
    if (operation !== 'Apply' && operation !== 'Update') continue;
    const fields = isObject(fieldsV1) ? (fieldsV1 as unknown as FieldSet) : undefined;
    ownerships.push({
      manager: String(manager ?? ''),
      operation,
      apiVersion: String(apiVersion ?? ''),
      subresource: subresource === 'status' ? 'status' : undefined,
      time: String(time ?? ''),
      fields: fields && hasParts(fields) ? fields : undefined,
      entry,
    });
  }
  return ownerships;
}

/** Writes `metadata.managedFields`, in the order of an API server; without those who own nothing. */
export function writeOwnerships(ownerships: readonly Ownership[]): JsonObject[] {
  const owning = ownerships.filter(one => one.fields);
  // Mostly they are in order, and to sort even two costs more than all the rest here.
  if (!owning.every((one, at) => at === 0 || order(owning[at - 1] ?? one, one) <= 0)) owning.sort(order);
  return owning.map(one => one.entry ?? entryOf(one));
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

/** The same for metadata that nobody else holds yet, and that has no owners. */
export function setOwnerships(
  metadata: { managedFields?: readonly JsonObject[] },
  ownerships: readonly Ownership[],
): void {
  const managedFields = writeOwnerships(ownerships);
  if (managedFields.length > 0) metadata.managedFields = managedFields;
}

/** The last entry about each shared set: what one writer does within a second mostly says the same of many objects. */
const lastEntries = new WeakMap<JsonObject, JsonObject>();

function entryOf(one: Ownership): JsonObject {
  const fieldsV1 = one.fields as unknown as JsonObject;
  const last = lastEntries.get(fieldsV1);
  if (last?.['time'] === one.time && isSameWriter(last as unknown as Writer, one)) return last;
  const { manager, operation, apiVersion, time, subresource } = one;
  const entry = { manager, operation, apiVersion, time, fieldsType: 'FieldsV1', fieldsV1 };
  const whole = subresource ? { ...entry, subresource } : entry;
  // A shared set is frozen in depth, so this is, too.
  if (isShared(fieldsV1)) lastEntries.set(fieldsV1, Object.freeze(whole));
  return whole;
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
    return status && onlyStatus(status);
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
  if (!changed) return before.map(one => without(one, undefined, removed));
  const own = before.find(one => isSameWriter(one, writer));
  const left: Ownership[] = [];
  for (const one of before) if (one !== own) left.push(without(one, changed, removed));
  // Not without what changed, which comes back anyway: mostly the writer owned it already, and owns the same set as before.
  const fields = sharedSet(union(difference(own?.fields, removed), changed));
  left.push(ownershipOf(writer, time, fields));
  return left.length > mostUpdaters ? capped(left) : left;
}

/** What one writer owns from now on. */
export function ownershipOf(
  { manager, operation, apiVersion, subresource }: Writer,
  time: string,
  fields: FieldSet | undefined,
): Ownership {
  return { manager, operation, apiVersion, subresource, time, fields };
}

const statusSets = new WeakMap<FieldSet, FieldSet>();

/** The set of a status as one of the whole object. The status of a kind is mostly one of few sets, and so is this. */
function onlyStatus(status: FieldSet): FieldSet {
  if (!isShared(status as unknown as JsonObject)) return { 'f:status': status };
  const known = statusSets.get(status);
  if (known) return known;
  const made = shared({ 'f:status': status as unknown as Json }) as unknown as FieldSet;
  statusSets.set(status, made);
  return made;
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
