import type { StructuralSchema } from '../../../api/schema/structural-schema.ts';
import { validate } from '../../../api/schema/validate.ts';
import { isObject, type Json, type JsonObject, sameJson } from '../../../base/json.ts';
import type { FieldCause } from '../../cluster-error.ts';
import { foreignProblems } from '../objects/foreign-schema.ts';
import { missing, unsupported, wrong } from '../objects/refusals.ts';
import type { Unversioned } from '../store/transaction.ts';
import { fieldOf } from './kind-rules.ts';
import { translatePattern } from './translate-pattern.ts';

const scopes = ['Cluster', 'Namespaced'];
const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** What is wrong with a definition: what would otherwise be found by everybody who writes an object of that kind. */
export function checkCrd(crd: Unversioned, before: Unversioned | undefined): FieldCause[] {
  const causes = [...nameCauses(crd), ...versionCauses(crd, before), ...schemaCausesOf(crd)];
  const scope = fieldOf(crd, 'spec.scope');
  if (scope !== undefined && !scopes.includes(String(scope))) {
    causes.push(unsupported('spec.scope', scope, scopes));
  }
  return causes;
}

function nameCauses(crd: Unversioned): FieldCause[] {
  const wanted = `${fieldOf(crd, 'spec.names.plural')}.${fieldOf(crd, 'spec.group')}`;
  if (crd.metadata.name === wanted) return [];
  return [wrong('metadata.name', crd.metadata.name, `must be spec.names.plural+"."+spec.group`)];
}

function versionsOf(crd: Unversioned): readonly JsonObject[] {
  const versions = fieldOf(crd, 'spec.versions');
  return Array.isArray(versions) ? versions.filter(isObject) : [];
}

/** One version is the stored one, and none goes that something may still be stored in. */
function* versionCauses(crd: Unversioned, before: Unversioned | undefined): Generator<FieldCause> {
  const versions = versionsOf(crd);
  if (versions.length === 0) return; // said already: versions are required
  if (versions.filter(version => version['storage'] === true).length !== 1) {
    yield wrong('spec.versions', undefined, 'must have exactly one version marked as storage version');
    if (!before) yield wrong('status.storedVersions', undefined, 'must have at least one stored version');
  }
  const names = versions.map(version => version['name']);
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) < index)
      yield wrong('spec.versions', undefined, 'must contain unique version names');
  }
  const stored = fieldOf(crd, 'status.storedVersions');
  for (const [index, name] of (Array.isArray(stored) ? stored : []).entries()) {
    if (!names.includes(name))
      yield wrong(`status.storedVersions[${index}]`, name, 'must appear in spec.versions');
  }
}

/** A server names a schema that all versions share as one of the whole definition. */
function* schemaCausesOf(crd: Unversioned): Generator<FieldCause> {
  const versions = versionsOf(crd);
  const schemas = versions.map(version => {
    const schema = isObject(version['schema']) ? version['schema']['openAPIV3Schema'] : undefined;
    return isObject(schema) ? schema : undefined;
  });
  const isShared = schemas.every(schema => schema && sameJson(schema, schemas[0]));
  for (const [index, schema] of schemas.entries()) {
    const own = `spec.versions[${index}].schema.openAPIV3Schema`;
    if (!schema) yield missing(own, 'schemas are required');
    else if (!isShared || index === 0)
      yield* partCauses(schema, isShared ? 'spec.validation.openAPIV3Schema' : own);
  }
}

function* partCauses(schema: JsonObject, at: string): Generator<FieldCause> {
  const { type, pattern } = schema;
  const isFree =
    schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (typeof type === 'string' && type !== '' && !types.includes(type))
    yield unsupported(`${at}.type`, type, types);
  else if (!type && !isFree) yield missing(`${at}.type`, 'must not be empty for specified object fields');
  if (typeof pattern === 'string' && translatePattern(pattern) === undefined) {
    yield wrong(`${at}.pattern`, pattern, 'must be a valid regular expression, but isn’t');
  }
  const below = [...partsOf(schema, at)];
  let isSound = type === undefined || types.includes(String(type));
  for (const [part, place] of below) {
    for (const cause of partCauses(part, place)) {
      isSound = false;
      yield cause;
    }
  }
  if (isSound) yield* defaultCauses(schema, at);
}

function* partsOf(schema: JsonObject, at: string): Generator<[JsonObject, string]> {
  const { properties, items, additionalProperties } = schema;
  if (isObject(properties)) {
    for (const [name, field] of Object.entries(properties)) {
      if (isObject(field)) yield [field, `${at}.properties[${name}]`];
    }
  }
  if (isObject(items)) yield [items, `${at}.items`];
  if (isObject(additionalProperties)) yield [additionalProperties, `${at}.additionalProperties`];
}

function* defaultCauses(schema: JsonObject, at: string): Generator<FieldCause> {
  const value = schema['default'] as Json | undefined;
  if (value === undefined || (value === null && schema['nullable'] === true)) return;
  const { pattern, ...rest } = schema as StructuralSchema;
  const translated = pattern === undefined ? undefined : translatePattern(pattern);
  const readable = translated === undefined ? rest : { ...rest, pattern: translated };
  // Rules may need fields that are filled in later; a field that is missing may have a default of its own.
  const problems = validate(readable, value).filter(one => one.code !== 'FieldMissing');
  const [first] = [...problems, ...foreignProblems(readable, value)];
  if (first) yield wrong(`${at}.default`, value, first.message);
}
