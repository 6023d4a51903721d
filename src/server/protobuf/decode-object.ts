import type { StructuralSchema } from '../../api/schema/structural-schema.ts';
import { isObject, type Json, type JsonObject, setKey } from '../../base/json.ts';
import { builtinName } from '../../cluster/embedded/kinds/builtin-schema.ts';
import { fieldNumbers } from './field-numbers.ts';
import { broken, bytesOf, numberOf, readMessage, signed, type WireField } from './read-message.ts';

/** How Kubernetes' own clients write typed objects where nobody says otherwise. */
export const protobufType = 'application/vnd.kubernetes.protobuf';

interface NumberedField {
  readonly name: string;
  /** `=` written also when it is not set, `*` only when it is, `#` bytes, `~` the fields of another type. */
  readonly how: string;
}

const lines = new Map(
  fieldNumbers
    .trim()
    .split('\n')
    .map(line => [line.slice(0, line.indexOf(' ')), line]),
);
const read = new Map<string, ReadonlyMap<number, NumberedField>>();

/** The begin of every message: what follows is an envelope with kind and content. */
const magic = Buffer.from('k8s\0');

/**
 * The object of a body in Kubernetes' protobuf, as the JSON of the same object, by the schema of its built-in kind. Throws `BadRequest`
 * for what is none.
 */
export function decodeObject(body: Buffer, schema: StructuralSchema): JsonObject {
  const type = builtinName(schema);
  if (type === undefined) throw broken();
  const { apiVersion, kind, message } = openEnvelope(body);
  const content = decodeFields(type, schema, message);
  // Clients may leave out what the path says.
  return { ...(apiVersion === '' ? {} : { apiVersion }), ...(kind === '' ? {} : { kind }), ...content };
}

/** What is in a body, and what it says to be. Throws `BadRequest` for what is none of Kubernetes'. */
export function openEnvelope(body: Buffer): {
  readonly apiVersion: string;
  readonly kind: string;
  readonly message: Buffer;
} {
  if (!body.subarray(0, magic.length).equals(magic)) throw broken();
  const envelope = readMessage(body.subarray(magic.length));
  const about = readMessage(bytesOf(envelope, 1) ?? Buffer.of());
  return {
    apiVersion: bytesOf(about, 1)?.toString() ?? '',
    kind: bytesOf(about, 2)?.toString() ?? '',
    message: bytesOf(envelope, 2) ?? Buffer.of(),
  };
}

function numbersOf(type: string): ReadonlyMap<number, NumberedField> {
  const known = read.get(type);
  if (known) return known;
  const [, ...words] = (lines.get(type) ?? '').split(' ');
  const numbers = new Map(
    words.map(word => {
      const [, number = '', how = '', name = ''] = /^(\d+)([=*#~])(.+)$/.exec(word) ?? [];
      return [Number(number), { name, how }];
    }),
  );
  read.set(type, numbers);
  return numbers;
}

/** The fields of a message of a built-in type, by a schema that has those that are wanted. */
export function decodeFields(type: string, schema: StructuralSchema, message: Buffer): Record<string, Json> {
  const object: Record<string, Json> = {};
  const numbers = numbersOf(type);
  for (const field of readMessage(message)) {
    const { name, how } = numbers.get(field.number) ?? {};
    if (name === undefined || how === undefined) continue;
    if (how === '~') {
      Object.assign(object, decodeFields(name, schema, contentOf(field)));
      continue;
    }
    const below = schema.properties?.[name];
    if (!below) continue;
    const value = decodeValue(below, field, how === '#', object[name]);
    if (how === '=' && isUnset(value)) continue;
    object[name] = value;
  }
  return object;
}

/** What a field that is always written says when nobody set it. */
function isUnset(value: Json): boolean {
  return value === '' || value === 0 || value === false || value === null;
}

function decodeValue(schema: StructuralSchema, field: WireField, isBytes: boolean, before?: Json): Json {
  if (schema.type === 'array' && schema.items) {
    const list = Array.isArray(before) ? (before as readonly Json[]) : [];
    return [...list, decodeValue(schema.items, field, isBytes)];
  }
  if (schema.additionalProperties) {
    const entry = readMessage(contentOf(field));
    const map = { ...(isObject(before) ? before : {}) };
    const value = entry.find(({ number }) => number === 2) ?? { number: 2, bytes: Buffer.of() };
    setKey(
      map,
      bytesOf(entry, 1)?.toString() ?? '',
      decodeValue(schema.additionalProperties, value, isBytes),
    );
    return map;
  }
  const type = builtinName(schema);
  if (type !== undefined) return decodeFields(type, schema, contentOf(field));
  return decodePlain(schema, field, isBytes);
}

function decodePlain(schema: StructuralSchema, field: WireField, isBytes: boolean): Json {
  if (schema['x-kubernetes-int-or-string']) return decodeIntOrString(contentOf(field));
  if (schema['x-kubernetes-preserve-unknown-fields']) return decodeRaw(contentOf(field));
  if (schema.format === 'date-time') return decodeTime(contentOf(field));
  switch (schema.type) {
    case 'string':
      return contentOf(field).toString(isBytes ? 'base64' : 'utf8');
    case 'boolean':
      return 'value' in field && field.value !== 0n;
    case 'integer':
      return 'value' in field ? signed(field.value) : 0;
    case 'number':
      return 'bytes' in field ? field.bytes.readDoubleLE() : 0;
    default:
      // A quantity: its text.
      return bytesOf(readMessage(contentOf(field)), 1)?.toString() ?? '0';
  }
}

function contentOf(field: WireField): Buffer {
  if ('bytes' in field) return field.bytes;
  throw broken();
}

function decodeIntOrString(message: Buffer): Json {
  const fields = readMessage(message);
  return numberOf(fields, 1) === 0 ? numberOf(fields, 2) : (bytesOf(fields, 3)?.toString() ?? '');
}

function decodeRaw(message: Buffer): Json {
  const text = bytesOf(readMessage(message), 1)?.toString() ?? '';
  if (text === '') return {};
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw broken();
  }
}

/** A moment that nobody set has no fields. */
function decodeTime(message: Buffer): Json {
  const fields = readMessage(message);
  if (fields.length === 0) return null;
  const [seconds, nanos] = [numberOf(fields, 1), numberOf(fields, 2)];
  const text = new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, '');
  return nanos === 0 ? `${text}Z` : `${text}.${String(Math.trunc(nanos / 1000)).padStart(6, '0')}Z`;
}
