import { closedTypes, defaults } from './corrections.ts';
import type { OpenApiSchema, OpenApiTypes } from './open-api.ts';

/** A kind, as a server names it. */
export interface WantedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const letters: Readonly<Record<string, string>> = { string: 's', integer: 'i', number: 'n', boolean: 'b' };
const letterOfFormat: Readonly<Record<string, string>> = { 'int-or-string': 'x', 'date-time': 't' };

/**
 * One line for each type that the kinds are made of, in the order of text; what the letters say is at the top of the file
 * they go to. Throws for a kind that the server does not have, and for a default of a field that is not there.
 */
export function shapeLines(types: OpenApiTypes, kinds: readonly WantedKind[]): string[] {
  const lines = new Map<string, string>();
  const tell = (name: string): void => {
    if (lines.has(name)) return;
    lines.set(name, ''); // a type may come back to itself
    const type = typeNamed(types, name);
    const fields = Object.entries(type.properties ?? {}).map(([field, schema]) => {
      return `${field}:${shapeOf(types, schema, tell)}${defaultOf(name, field)}`;
    });
    lines.set(name, [shortName(name), ...(isAtomic(type) ? ['!'] : []), ...fields].join(' '));
  };
  for (const kind of kinds) tell(typeOfKind(types, kind));
  refuseLostDefaults(types, [...lines.keys()]);
  return [...lines.values()].sort();
}

function shapeOf(types: OpenApiTypes, schema: OpenApiSchema, tell: (name: string) => void): string {
  const { $ref, allOf, type = 'object', format = '', items, additionalProperties } = schema;
  const name = ($ref ?? allOf?.[0]?.$ref)?.replace('#/components/schemas/', '');
  if (name !== undefined) return shapeOfNamed(types, name, tell);
  const letter = letterOfFormat[format] ?? letters[type];
  if (letter !== undefined) return letter;
  if (items) return `${shapeOf(types, items, tell)}[${keysOf(schema)}]`;
  if (!additionalProperties) return '?';
  return `${isAtomic(schema) ? '!' : ''}{${shapeOf(types, additionalProperties, tell)}}`;
}

function shapeOfNamed(types: OpenApiTypes, name: string, tell: (name: string) => void): string {
  const closed = closedTypes.find(one => name.endsWith(one.name));
  if (closed) return closed.shape;
  const type = typeNamed(types, name);
  if (!type.properties) return shapeOf(types, type, tell);
  tell(name);
  return `@${shortName(name)}`;
}

/** How the items of a list are told apart. A set is `*`: what stands after `=` in a line is a default. */
function keysOf(schema: OpenApiSchema): string {
  const { 'x-kubernetes-list-type': type, 'x-kubernetes-list-map-keys': keys = [] } = schema;
  if (type === 'set') return '*';
  return type === 'map' ? keys.join(',') : '';
}

function isAtomic(schema: OpenApiSchema): boolean {
  return schema['x-kubernetes-map-type'] === 'atomic';
}

function defaultOf(name: string, field: string): string {
  const value = defaults[shortName(name)]?.[field];
  return value === undefined ? '' : `=${JSON.stringify(value)}`;
}

function refuseLostDefaults(types: OpenApiTypes, names: readonly string[]): void {
  const known = new Map(names.map(name => [shortName(name), typeNamed(types, name).properties ?? {}]));
  for (const [name, fields] of Object.entries(defaults)) {
    for (const field of Object.keys(fields)) {
      if (!(field in (known.get(name) ?? {}))) throw new Error(`a default for ${name} ${field}: not there`);
    }
  }
}

function typeOfKind(types: OpenApiTypes, { group, version, kind }: WantedKind): string {
  for (const [name, schema] of types) {
    const kinds = schema['x-kubernetes-group-version-kind'] ?? [];
    // Options of calls are said to be of every group; an object's type has metadata.
    const isIt = kinds.some(one => one.group === group && one.version === version && one.kind === kind);
    if (isIt && schema.properties?.['metadata']) return name;
  }
  throw new Error(`the server has no ${kind} of ${group}/${version}`);
}

function typeNamed(types: OpenApiTypes, name: string): OpenApiSchema {
  const type = types.get(name);
  if (!type) throw new Error(`OpenAPI refers to ${name}, which is not there`);
  return type;
}

/** `core.v1.Pod` instead of `io.k8s.api.core.v1.Pod`. */
function shortName(name: string): string {
  return name.replace(/^io\.k8s\.(api|apimachinery\.pkg\.apis|apiextensions-apiserver\.pkg\.apis)\./, '');
}
