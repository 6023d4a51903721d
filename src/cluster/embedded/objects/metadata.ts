import { isDateTime } from '../../../api/schema/date-time.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { Metadata, OwnerReference } from '../../cluster.ts';
import type { FieldCause } from '../../cluster-error.ts';
import { keyProblem, labelValueProblem } from './names.ts';
import { badRequest, wrong } from './refusals.ts';

/** All annotations of an object together may have so many bytes. */
const annotationBytes = 256 * 1024;

const isText = (item: unknown) => typeof item === 'string';
const isTime = (item: unknown) => typeof item === 'string' && isDateTime(item);
const isObjectList = (item: unknown) => Array.isArray(item) && item.every(isObject);

function isTextMap(item: unknown): boolean {
  if (!isObject(item)) return false;
  for (const key in item) if (typeof item[key] !== 'string') return false;
  return true;
}

interface Field {
  readonly fits: (item: unknown) => boolean;
  readonly type: string;
}

/** Every field there is, with the type it must have. */
const known: ReadonlyMap<string, Field> = new Map<string, Field>([
  ...['name', 'generateName', 'namespace', 'uid', 'resourceVersion'].map(
    name => [name, { fits: isText, type: 'a string' }] as const,
  ),
  ...['creationTimestamp', 'deletionTimestamp'].map(
    name => [name, { fits: isTime, type: 'a date and time' }] as const,
  ),
  ...['generation', 'deletionGracePeriodSeconds'].map(
    name => [name, { fits: Number.isInteger, type: 'a whole number' }] as const,
  ),
  ['labels', { fits: isTextMap, type: 'a map of strings' }],
  ['annotations', { fits: isTextMap, type: 'a map of strings' }],
  ['finalizers', { fits: item => Array.isArray(item) && item.every(isText), type: 'a list of strings' }],
  ['ownerReferences', { fits: isObjectList, type: 'a list of objects' }],
  ['managedFields', { fits: isObjectList, type: 'a list of objects' }],
]);

/**
 * The metadata of a request, of the right types. Unknown fields are dropped and told through `dropped`; what is null or empty
 * is as if it was not there, as in programs written in Go. Throws `BadRequest` for a wrong type.
 */
export function readMetadata(value: unknown, dropped: string[]): Metadata {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw badRequest('metadata must be an object');
  const read: Record<string, unknown> = {};
  for (const name in value) {
    const item = value[name];
    const field = known.get(name);
    if (item === null || item === '' || name === 'selfLink') continue;
    if (!field) dropped.push(`metadata.${name}`);
    else if (field.fits(item)) read[name] = item;
    else throw badRequest(`metadata.${name} must be ${field.type}`);
  }
  const { ownerReferences } = read;
  if (Array.isArray(ownerReferences)) read['ownerReferences'] = readOwners(ownerReferences, dropped);
  return read as Metadata;
}

/** Every field of an owner reference, with the type it must have. */
const ownerFields: ReadonlyMap<string, string> = new Map([
  ...['apiVersion', 'kind', 'name', 'uid'].map(name => [name, 'string'] as const),
  ...['controller', 'blockOwnerDeletion'].map(name => [name, 'boolean'] as const),
]);

function readOwners(owners: readonly JsonObject[], dropped: string[]): JsonObject[] {
  return owners.map((owner, index) => {
    const at = `metadata.ownerReferences[${index}]`;
    const kept: [string, Json][] = [];
    for (const [name, value] of Object.entries(owner)) {
      const type = ownerFields.get(name);
      if (type === undefined) dropped.push(`${at}.${name}`);
      else if (value !== null && typeof value !== type) throw badRequest(`${at}.${name} must be a ${type}`);
      else if (value !== null) kept.push([name, value]);
    }
    return kept.length === Object.keys(owner).length ? owner : Object.fromEntries(kept);
  });
}

/** The finalizers of built-in kinds that belong to nobody: all others say whose they are. */
const plainFinalizers = ['foregroundDeletion', 'kubernetes', 'orphan'];

/** What is wrong with metadata, but for the name. */
export function metadataCauses(metadata: Metadata, isOfCore: boolean): FieldCause[] {
  const { labels, annotations, finalizers, ownerReferences } = metadata;
  const causes: FieldCause[] = [];
  if (labels) causes.push(...labelCauses(labels));
  if (annotations) causes.push(...annotationCauses(annotations));
  if (finalizers) causes.push(...finalizerCauses(finalizers, isOfCore));
  if (ownerReferences) causes.push(...ownerCauses(ownerReferences));
  return causes;
}

function* finalizerCauses(finalizers: readonly string[], isOfCore: boolean): Generator<FieldCause> {
  for (const [index, finalizer] of finalizers.entries()) {
    const problem = keyProblem(finalizer);
    if (problem) yield wrong('metadata.finalizers', finalizer, problem);
    else if (isOfCore && !finalizer.includes('/') && !plainFinalizers.includes(finalizer)) {
      const why = 'name is neither a standard finalizer name nor is it fully qualified';
      yield wrong(`metadata.finalizers[${index}]`, finalizer, why);
    }
  }
}

function labelCauses(labels: Readonly<Record<string, string>>): FieldCause[] {
  const causes: FieldCause[] = [];
  for (const key of Object.keys(labels)) {
    const problem = keyProblem(key);
    if (problem) causes.push(wrong('metadata.labels', key, problem));
    const value = labels[key] ?? '';
    const unfit = labelValueProblem(value);
    if (unfit) causes.push(wrong('metadata.labels', value, unfit));
  }
  return causes;
}

function* annotationCauses(annotations: Readonly<Record<string, string>>): Generator<FieldCause> {
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations)) {
    const problem = keyProblem(key.toLowerCase());
    if (problem) yield wrong('metadata.annotations', key, problem);
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (bytes > annotationBytes) {
    yield {
      field: 'metadata.annotations',
      reason: 'FieldValueTooLong',
      message: `Too long: may not be more than ${annotationBytes} bytes`,
    };
  }
}

function* ownerCauses(owners: readonly OwnerReference[]): Generator<FieldCause> {
  const at = 'metadata.ownerReferences';
  for (const owner of owners) {
    if (!owner.apiVersion)
      yield wrong(`${at}.apiVersion`, owner.apiVersion ?? '', 'version must not be empty');
    for (const name of ['kind', 'name', 'uid'] as const) {
      if (!owner[name]) yield wrong(`${at}.${name}`, owner[name] ?? '', `${name} must not be empty`);
    }
  }
  if (owners.some(owner => owner.apiVersion === 'v1' && owner.kind === 'Event')) {
    yield wrong(at, 'v1, Kind=Event', 'is disallowed from being an owner');
  }
  const controllers = owners.filter(owner => owner.controller === true);
  if (controllers.length > 1) {
    const names = controllers.map(owner => owner.name).join(' and ');
    yield wrong('metadata.ownerReferences', names, 'Only one reference can have Controller set to true');
  }
}
