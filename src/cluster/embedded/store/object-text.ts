import { isObject, type JsonObject } from '../../../base/json.ts';
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
  return `${text.slice(0, at)}"managedFields":[${managedFields.map(entryText).join(',')}]${text.slice(at + gapText.length)}`;
}

function entryText(entry: JsonObject): string {
  const { manager, operation, apiVersion, time, fieldsV1, subresource } = entry;
  if (!isObject(fieldsV1)) return JSON.stringify(entry);
  const head = `"manager":${JSON.stringify(manager)},"operation":"${operation}","apiVersion":${JSON.stringify(apiVersion)}`;
  const tail = subresource === undefined ? '' : `,"subresource":${JSON.stringify(subresource)}`;
  return `{${head},"time":"${time}","fieldsType":"FieldsV1","fieldsV1":${textOf(fieldsV1)}${tail}}`;
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
