import { group as ourGroup } from '../../../api/group.ts';
import { objectSchema } from '../../../api/kind.ts';
import { findKind } from '../../../api/kinds.ts';
import type { StructuralSchema } from '../../../api/schema/structural-schema.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { StoredObject } from '../../cluster.ts';
import { builtinSchema } from './builtin-schema.ts';
import type { KindRules } from './kind-rules.ts';
import { translatePattern } from './translate-pattern.ts';

/** Anything goes: a definition without a schema says so. */
const anything: StructuralSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const anyValue: JsonObject = { 'x-kubernetes-preserve-unknown-fields': true };

/** The kinds that a CustomResourceDefinition brings, one for each version it serves, or for those that are asked for. */
export function customKinds(
  crd: StoredObject,
  isMeant: (version: JsonObject) => boolean = version => version['served'] === true,
): KindRules[] {
  const spec = objectAt(crd, 'spec');
  const versions = Array.isArray(spec['versions']) ? spec['versions'].filter(isObject) : [];
  return versions.filter(isMeant).map(version => customKind(spec, version));
}

/** The name under which the objects of a definition are kept, also while it serves none of its versions. */
export function storeKindOfDefinition(crd: StoredObject): string {
  const spec = objectAt(crd, 'spec');
  return `${String(spec['group'])}/${String(objectAt(spec, 'names')['kind'])}`;
}

function customKind(spec: JsonObject, version: JsonObject): KindRules {
  const names = objectAt(spec, 'names');
  const kind = String(names['kind']);
  const group = String(spec['group']);
  const own = group === ourGroup ? findKind(kind) : undefined;
  const written = objectAt(version, 'schema')['openAPIV3Schema'];
  const fields = Array.isArray(version['selectableFields'])
    ? version['selectableFields'].filter(isObject)
    : [];
  return {
    group,
    version: String(version['name']),
    kind,
    plural: String(names['plural']),
    isNamespaced: spec['scope'] === 'Namespaced',
    // Ours is taken from the program, for the predicates of its rules.
    schema: whole(own ? objectSchema(own) : isObject(written) ? readableSchema(written) : anything),
    isCustom: true,
    hasStatus: isObject(objectAt(version, 'subresources')['status']),
    hasGeneration: true,
    nameRule: 'subdomain',
    mayUpdateBlindly: false,
    createsOnUpdate: false,
    propagation: 'Background',
    selectable: fields.map(field => String(field['jsonPath']).replace(/^\./, '')),
    immutable: [],
    required: [],
    encoded: [],
    keepsPrepared: false,
  };
}

/**
 * A schema as it is written in a definition, with patterns in our language. One that cannot be said here is left out: new
 * definitions are refused for it, but an old store may hold one.
 */
function readableSchema(written: JsonObject): StructuralSchema {
  const schema: Record<string, Json> = { ...written };
  const { pattern, properties, items, additionalProperties } = written;
  if (typeof pattern === 'string') {
    const translated = translatePattern(pattern);
    if (translated === undefined) delete schema['pattern'];
    else schema['pattern'] = translated;
  }
  const readable = (part: Json): Json => (isObject(part) ? (readableSchema(part) as Json) : part);
  if (isObject(properties)) {
    schema['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [name, readable(field)]),
    );
  }
  if (items !== undefined) schema['items'] = readable(items);
  // `true` allows anything, as a schema that says nothing does; `false` allows nothing, as being absent does.
  if (isObject(additionalProperties)) schema['additionalProperties'] = readable(additionalProperties);
  else if (additionalProperties === true) schema['additionalProperties'] = anyValue;
  else delete schema['additionalProperties'];
  for (const union of ['allOf', 'anyOf', 'oneOf']) {
    const parts = written[union];
    if (Array.isArray(parts)) schema[union] = parts.map(readable);
  }
  if (written['not'] !== undefined) schema['not'] = readable(written['not']);
  return schema as StructuralSchema;
}

/** Definitions leave out what is the same for all objects. */
function whole(schema: StructuralSchema): StructuralSchema {
  const text: StructuralSchema = { type: 'string' };
  const metadata = builtinSchema('meta.v1.ObjectMeta');
  return { ...schema, properties: { ...schema.properties, apiVersion: text, kind: text, metadata } };
}

function objectAt(value: object, name: string): JsonObject {
  const below: unknown = (value as Record<string, unknown>)[name];
  return isObject(below) ? below : {};
}
