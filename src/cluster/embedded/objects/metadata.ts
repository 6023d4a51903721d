import { isObject } from '../../../base/json.ts';
import type { Metadata, OwnerReference } from '../../cluster.ts';
import type { FieldCause } from '../../cluster-error.ts';
import { keyProblem, labelValueProblem } from './names.ts';
import { badRequest, wrong } from './refusals.ts';

/** All annotations of an object together may have so many bytes. */
const annotationBytes = 256 * 1024;

const isText = (item: unknown) => typeof item === 'string';
const isNumber = (item: unknown) => typeof item === 'number';
const isTextMap = (item: unknown) => isObject(item) && Object.values(item).every(isText);

type Field = readonly [fits: (item: unknown) => boolean, type: string];

/** Every field there is, with the type it must have. */
const known: ReadonlyMap<string, Field> = new Map<string, Field>([
  ...[
    'name',
    'generateName',
    'namespace',
    'uid',
    'resourceVersion',
    'creationTimestamp',
    'deletionTimestamp',
  ].map(name => [name, [isText, 'a string']] as const),
  ...['generation', 'deletionGracePeriodSeconds'].map(name => [name, [isNumber, 'a number']] as const),
  ['labels', [isTextMap, 'a map of strings']],
  ['annotations', [isTextMap, 'a map of strings']],
  ['finalizers', [item => Array.isArray(item) && item.every(isText), 'a list of strings']],
  ['ownerReferences', [item => Array.isArray(item) && item.every(isObject), 'a list of objects']],
  ['managedFields', [item => Array.isArray(item) && item.every(isObject), 'a list of objects']],
]);

/**
 * The metadata of a request, of the right types. Unknown fields are dropped and told through `dropped`; what is null or empty
 * is as if it was not there, as in programs written in Go. Throws `BadRequest` for a wrong type.
 */
export function readMetadata(value: unknown, dropped: string[]): Metadata {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw badRequest('metadata must be an object');
  const read: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const item = value[name];
    const [fits, type] = known.get(name) ?? [];
    if (item === null || item === '' || name === 'selfLink') continue;
    if (!fits) dropped.push(`metadata.${name}`);
    else if (fits(item)) read[name] = item;
    else throw badRequest(`metadata.${name} must be ${type}`);
  }
  return read as Metadata;
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
