import { group as ourGroup } from '../../../api/group.ts';
import { objectSchema } from '../../../api/kind.ts';
import { findKind } from '../../../api/kinds.ts';
import type { StructuralSchema } from '../../../api/schema/structural-schema.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import type { StoredObject } from '../../cluster.ts';
import { builtinSchema } from './builtin-schema.ts';
import type { KindRules } from './kind-rules.ts';

/** Anything goes: a definition without a schema says so. */
const anything: StructuralSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** The kinds that a CustomResourceDefinition brings, one for each version it serves. */
export function customKinds(crd: StoredObject): KindRules[] {
  const spec = objectAt(crd, 'spec');
  const versions = Array.isArray(spec['versions']) ? spec['versions'].filter(isObject) : [];
  return versions.filter(version => version['served'] === true).map(version => customKind(spec, version));
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
    schema: whole(own ? objectSchema(own) : isObject(written) ? (written as StructuralSchema) : anything),
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
    keepsPrepared: false,
  };
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
