import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { ClusterObject } from '../../cluster.ts';
import { sharedByText, textOf } from './shared-json.ts';

/** Stands in the text for what is put in afterwards; no number that anybody writes. */
const gap = Math.random();
const gapText = `"managedFields":${gap}`;

/**
 * The JSON of an object that is not frozen yet. `JSON.stringify` gives the same value, but would look through the shared parts
 * every time.
 */
export function objectText(object: ClusterObject): string {
  const metadata = object.metadata as { managedFields?: unknown };
  const { managedFields } = object.metadata;
  if (!managedFields || Object.isFrozen(metadata)) return JSON.stringify(object);
  metadata.managedFields = gap;
  const text = JSON.stringify(object);
  metadata.managedFields = managedFields;
  const at = text.indexOf(gapText);
  let entries = '';
  for (const entry of managedFields) entries += entries === '' ? entryText(entry) : `,${entryText(entry)}`;
  return `${text.slice(0, at)}"managedFields":[${entries}]${text.slice(at + gapText.length)}`;
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

/** The object of a JSON text, with the parts shared that usually are the same. */
export function readObject(text: string): ClusterObject {
  const object = JSON.parse(text) as ClusterObject;
  const { managedFields } = object.metadata;
  if (!managedFields) return object;
  const entries = managedFields.map(entry => {
    const { fieldsV1 } = entry;
    return isObject(fieldsV1) ? { ...entry, fieldsV1: sharedByText(JSON.stringify(fieldsV1)) } : entry;
  });
  return { ...object, metadata: { ...object.metadata, managedFields: entries } };
}
