import type { StructuralSchema } from '../../../api/schema/structural-schema.ts';
import { CodedError } from '../../../base/coded-error.ts';
import { builtinShapes } from './builtin-shapes.ts';

/** The lines of the table by name, and the schemas made of them so far: most are never asked for. */
const lines = new Map(
  builtinShapes
    .trim()
    .split('\n')
    .map(line => [line.slice(0, line.indexOf(' ')), line]),
);
const made = new Map<string, StructuralSchema>();
const nameOf = new WeakMap<StructuralSchema, string>();

const atomicMap = { 'x-kubernetes-map-type': 'atomic' } as const;

/** Text in a map: a server reads null there as empty text. */
export const textInMap: StructuralSchema = { type: 'string' };

const letters: Readonly<Record<string, StructuralSchema>> = {
  s: { type: 'string' },
  i: { type: 'integer' },
  n: { type: 'number' },
  b: { type: 'boolean' },
  t: { type: 'string', format: 'date-time' },
  x: { 'x-kubernetes-int-or-string': true },
  q: {},
  '?': { 'x-kubernetes-preserve-unknown-fields': true },
  '!?': { 'x-kubernetes-preserve-unknown-fields': true, ...atomicMap },
};

/** The schema of a built-in type, such as `apps.v1.Deployment`. */
export function builtinSchema(name: string): StructuralSchema {
  const known = made.get(name);
  if (known) return known;
  const line = lines.get(name);
  if (line === undefined) throw new CodedError('Bug', `there is no built-in type ${name}`);
  const [, ...words] = line.split(' ');
  const isAtomic = words[0] === '!';
  const fields = isAtomic ? words.slice(1) : words;
  const schema: StructuralSchema = {
    type: 'object',
    ...(isAtomic ? atomicMap : {}),
    properties: Object.fromEntries(fields.map(fieldSchema)),
  };
  made.set(name, schema);
  nameOf.set(schema, name);
  return schema;
}

/** The name of a schema that `builtinSchema` made, also where it stands at a field; undefined for all others. */
export function builtinName(schema: StructuralSchema): string | undefined {
  return nameOf.get(schema);
}

function fieldSchema(word: string): [string, StructuralSchema] {
  const [, name = '', type = '', value] = /^([^:]+):([^=]+)(?:=(.*))?$/.exec(word) ?? [];
  const schema = typeSchema(type);
  if (value === undefined) return [name, schema];
  const filled = { ...schema, default: JSON.parse(value) };
  const known = nameOf.get(schema);
  if (known !== undefined) nameOf.set(filled, known);
  return [name, filled];
}

function typeSchema(type: string): StructuralSchema {
  const [, item, keys] = /^(.*)\[([^\]]*)\]$/.exec(type) ?? [];
  if (item !== undefined && keys !== undefined) return listSchema(typeSchema(item), keys);
  const [, atomic, value] = /^(!?)\{(.*)\}$/.exec(type) ?? [];
  if (value !== undefined) {
    return {
      type: 'object',
      additionalProperties: value === 's' ? textInMap : typeSchema(value),
      ...(atomic ? atomicMap : {}),
    };
  }
  if (type.startsWith('@')) return builtinSchema(type.slice(1));
  const schema = letters[type];
  if (!schema) throw new CodedError('Bug', `the table of built-in types says ${type}`);
  return schema;
}

function listSchema(items: StructuralSchema, keys: string): StructuralSchema {
  if (keys === '') return { type: 'array', items };
  if (keys === '*') return { type: 'array', items, 'x-kubernetes-list-type': 'set' };
  return {
    type: 'array',
    items,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': keys.split(','),
  };
}
