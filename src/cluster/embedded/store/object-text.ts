import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { ClusterObject } from '../../cluster.ts';
import { sharedByText, textOf } from './shared-json.ts';

/**
 * The JSON of an object that is not frozen yet, part by part. `JSON.stringify` gives the same value, but would look through the shared
 * parts every time.
 */
export function objectText(object: ClusterObject): string {
  const { apiVersion, kind, metadata } = object;
  if (!metadata.managedFields || Object.isFrozen(metadata)) return JSON.stringify(object);
  let text = `{"apiVersion":${quoted(apiVersion)},"kind":${quoted(kind)},"metadata":${metadataText(metadata)}`;
  for (const name in object) {
    if (name === 'apiVersion' || name === 'kind' || name === 'metadata') continue;
    const part = JSON.stringify(object[name]);
    if (part !== undefined) text += `,${quoted(name)}:${part}`;
  }
  return `${text}}`;
}

function metadataText(metadata: { managedFields?: readonly JsonObject[] | undefined }): string {
  const { managedFields = [] } = metadata;
  // Left out by leaving it empty for a moment: a copy without it would cost more than all the rest here.
  metadata.managedFields = undefined;
  const text = JSON.stringify(metadata);
  metadata.managedFields = managedFields;
  let entries = '';
  for (const entry of managedFields) entries += entries === '' ? entryText(entry) : `,${entryText(entry)}`;
  return `${text.slice(0, -1)},"managedFields":[${entries}]}`;
}

function entryText(entry: JsonObject): string {
  const { manager, operation, apiVersion, time, fieldsV1, subresource } = entry;
  if (!isObject(fieldsV1)) return JSON.stringify(entry);
  const head = `"manager":${quoted(manager)},"operation":"${operation}","apiVersion":${quoted(apiVersion)}`;
  const tail = subresource === undefined ? '' : `,"subresource":${quoted(subresource)}`;
  return `{${head},"time":"${time}","fieldsType":"FieldsV1","fieldsV1":${textOf(fieldsV1)}${tail}}`;
}

const quotes = new Map<unknown, string>();

/** The JSON of a word; who writes, and what, is one of few. */
function quoted(word: Json | undefined): string {
  const known = quotes.get(word);
  if (known !== undefined) return known;
  const text = JSON.stringify(word);
  if (quotes.size > 1000) quotes.clear();
  quotes.set(word, text);
  return text;
}

/** Before a set of fields in the text of an object. In a text within it the quotes would not stand alone. */
const setMark = '"fieldsV1":';

/** The sets that were read last, as text, by the kind of the objects. */
const lastSets = new Map<string, readonly string[]>();
const mostSets = 8;

/**
 * The object of a JSON text, with the parts shared that usually are the same. Objects of a kind mostly have one of few sets of fields: a
 * set that is seen again is known by its text, and not read again.
 */
export function readObject(text: string, kind: string): ClusterObject {
  return readWithKnownSets(text, lastSets.get(kind) ?? []) ?? readWhole(text, kind);
}

/** The object, if its sets are among those that are known. */
function readWithKnownSets(text: string, known: readonly string[]): ClusterObject | undefined {
  const sets: JsonObject[] = [];
  let short = '';
  let from = 0;
  for (let at = text.indexOf(setMark); at >= 0; at = text.indexOf(setMark, from)) {
    const start = at + setMark.length;
    // No JSON object is the beginning of another, so this is the whole set.
    const set = known.find(one => text.startsWith(one, start));
    if (set === undefined) return undefined;
    short += `${text.slice(from, start)}${sets.length}`;
    sets.push(sharedByText(set));
    from = start + set.length;
  }
  const object = JSON.parse(short + text.slice(from)) as ClusterObject;
  const managedFields = (object.metadata.managedFields ?? []) as { fieldsV1?: unknown }[];
  // A field of that name elsewhere in the object is no set of fields.
  const areOwners = managedFields.every(({ fieldsV1 }, index) => fieldsV1 === index);
  if (managedFields.length !== sets.length || !areOwners) return undefined;
  for (let index = 0; index < sets.length; index++) {
    const entry = managedFields[index];
    if (entry) entry.fieldsV1 = sets[index];
  }
  return object;
}

function readWhole(text: string, kind: string): ClusterObject {
  const object = JSON.parse(text) as ClusterObject;
  for (const entry of (object.metadata.managedFields ?? []) as { fieldsV1?: unknown }[]) {
    if (!isObject(entry.fieldsV1)) continue;
    const set = JSON.stringify(entry.fieldsV1);
    entry.fieldsV1 = sharedByText(set);
    const others = (lastSets.get(kind) ?? []).filter(one => one !== set);
    lastSets.set(kind, [set, ...others].slice(0, mostSets));
  }
  return object;
}
