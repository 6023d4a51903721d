import { isObject } from '../../../base/json.ts';
import type { Metadata, OwnerReference } from '../../cluster.ts';
import type { FieldCause } from '../../cluster-error.ts';
import { keyProblem, labelValueProblem } from './names.ts';
import { badRequest, wrong } from './refusals.ts';

/** All annotations of an object together may have so many bytes. */
const annotationBytes = 256 * 1024;

const texts = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
];
const numbers = ['generation', 'deletionGracePeriodSeconds'];
const known = new Set([
  ...texts,
  ...numbers,
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
  'managedFields',
  'selfLink',
]);

/**
 * The metadata of a request, of the right types. Unknown fields are dropped and told through `dropped`; what is null or empty
 * is as if it was not there, as in programs written in Go. Throws `BadRequest` for a wrong type.
 */
export function readMetadata(value: unknown, dropped: string[]): Metadata {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw badRequest('metadata must be an object');
  const read: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    if (!known.has(name)) dropped.push(`metadata.${name}`);
    else if (item === null || name === 'selfLink' || (item === '' && texts.includes(name))) continue;
    else read[name] = checked(name, item);
  }
  return read as Metadata;
}

function checked(name: string, item: unknown): unknown {
  if (texts.includes(name) && typeof item !== 'string') throw badRequest(`metadata.${name} must be a string`);
  if (numbers.includes(name) && typeof item !== 'number')
    throw badRequest(`metadata.${name} must be a number`);
  if (name === 'labels' || name === 'annotations') {
    const isMap = isObject(item) && Object.values(item).every(text => typeof text === 'string');
    if (!isMap) throw badRequest(`metadata.${name} must be a map of strings`);
  }
  if (name === 'finalizers' && !(Array.isArray(item) && item.every(text => typeof text === 'string'))) {
    throw badRequest('metadata.finalizers must be a list of strings');
  }
  if (name === 'ownerReferences' && !(Array.isArray(item) && item.every(isObject))) {
    throw badRequest('metadata.ownerReferences must be a list of objects');
  }
  return item;
}

/** What is wrong with metadata, but for the name. */
export function metadataCauses(metadata: Metadata): FieldCause[] {
  const { labels, annotations, finalizers, ownerReferences } = metadata;
  const causes = labels ? [...labelCauses(labels)] : [];
  if (annotations) causes.push(...annotationCauses(annotations));
  for (const finalizer of finalizers ?? []) {
    const problem = keyProblem(finalizer);
    if (problem) causes.push(wrong('metadata.finalizers', finalizer, problem));
  }
  if (ownerReferences) causes.push(...ownerCauses(ownerReferences));
  return causes;
}

function* labelCauses(labels: Readonly<Record<string, string>>): Generator<FieldCause> {
  for (const [key, value] of Object.entries(labels)) {
    const problem = keyProblem(key);
    if (problem) yield wrong('metadata.labels', key, problem);
    const unfit = labelValueProblem(value);
    if (unfit) yield wrong('metadata.labels', value, unfit);
  }
}

function* annotationCauses(annotations: Readonly<Record<string, string>>): Generator<FieldCause> {
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations)) {
    const problem = keyProblem(key.toLowerCase());
    if (problem) yield wrong('metadata.annotations', key, problem);
    bytes += key.length + value.length;
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
  const controllers = owners.filter(owner => owner.controller === true);
  if (controllers.length > 1) {
    const names = controllers.map(owner => owner.name).join(' and ');
    yield wrong('metadata.ownerReferences', names, 'Only one reference can have Controller set to true');
  }
}
