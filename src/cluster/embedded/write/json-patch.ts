import { isObject, type Json, type JsonObject, sameJson, setKey } from '../../../base/json.ts';
import { ClusterError } from '../../cluster-error.ts';
import { badRequest } from '../objects/refusals.ts';

/** A map or list on the way to the place of an operation: a copy, so that it may be written to. */
type Part = Json[] | Record<string, Json>;

/** Does something to the part of the document that holds the last token of a path. */
type Change = (part: Part, token: string) => void;

/**
 * A document after the operations of an RFC 6902 patch, one after the other, all or none. What they do not touch is shared with
 * the document. Only own keys are ever followed. In doubtful cases it does what the library of API servers does: a
 * negative index counts from the end, a value that is left out is null, a key that is not there is replaced, copied and
 * compared as null.
 */
export function applyJsonPatch(document: JsonObject, operations: readonly JsonObject[]): JsonObject {
  if (!Array.isArray(operations)) throw badRequest('error decoding patch: it must be a list');
  if (!operations.every(isOperation)) {
    throw badRequest(
      'error decoding patch: every operation must be an object with op, path and from as text',
    );
  }
  let patched: Json = document;
  for (const operation of operations) patched = applyOperation(patched, operation);
  if (!isObject(patched)) throw refused({ op: 'replace', path: '' });
  return patched;
}

function isOperation(operation: unknown): boolean {
  if (!isObject(operation)) return false;
  return [operation['op'], operation['path'], operation['from']].every(
    word => word === undefined || word === null || typeof word === 'string',
  );
}

function applyOperation(document: Json, operation: JsonObject): Json {
  const { op, path, from, value = null } = operation;
  const refuse = () => refused(operation);
  if (op === 'replace' && path === '' && typeof value === 'object' && value !== null) return value;
  const at = tokensOf(path, refuse);
  const change = (tokens: readonly string[], how: Change) => changed(document, tokens, how, refuse);
  switch (op) {
    case 'add':
      return change(at, (part, token) => add(part, token, value, refuse));
    case 'replace':
      return change(at, (part, token) => put(part, keyIn(part, token, refuse), value));
    case 'remove':
      return change(at, (part, token) => remove(part, token, refuse));
    case 'test':
      if (!sameJson(valueAt(document, at, refuse), value)) throw refuse();
      return document;
    case 'copy': {
      const copied = valueAt(document, tokensOf(from, refuse), refuse);
      return change(at, (part, token) => add(part, token, copied, refuse));
    }
    case 'move': {
      const source = tokensOf(from, refuse);
      const moved = valueAt(document, source, refuse);
      const without = change(source, (part, token) => remove(part, token, refuse));
      return changed(without, at, (part, token) => add(part, token, moved, refuse), refuse);
    }
    default:
      throw refuse();
  }
}

type Refuse = () => ClusterError;

/** The steps of a path. What stands before the first slash is not looked at, as on a server. */
function tokensOf(path: Json | undefined, refuse: Refuse): readonly string[] {
  if (typeof path !== 'string' || !path.includes('/')) throw refuse();
  return path
    .split('/')
    .slice(1)
    .map(token => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The document with the parts on the way to the last token copied, and that one changed. */
function changed(value: Json, [token = '', ...rest]: readonly string[], how: Change, refuse: Refuse): Json {
  const part = partOf(value, refuse);
  if (rest.length === 0) how(part, token);
  else {
    const key = keyIn(part, token, refuse);
    put(part, key, changed(get(part, key), rest, how, refuse));
  }
  return part;
}

function partOf(value: Json, refuse: Refuse): Part {
  if (Array.isArray(value)) return [...value];
  if (isObject(value)) return { ...value };
  throw refuse();
}

function valueAt(document: Json, tokens: readonly string[], refuse: Refuse): Json {
  return tokens.reduce<Json>((value, token) => {
    if (!Array.isArray(value) && !isObject(value)) throw refuse();
    const part = value as Part;
    return get(part, keyIn(part, token, refuse));
  }, document);
}

/** The place of an item that is there; for a map, the token itself. */
function keyIn(part: Part, token: string, refuse: Refuse): string {
  return Array.isArray(part) ? String(indexIn(token, part.length, refuse)) : token;
}

function indexIn(token: string, length: number, refuse: Refuse): number {
  if (!/^[-+]?\d+$/.test(token)) throw refuse();
  const index = Number(token) < 0 ? Number(token) + length : Number(token);
  if (index < 0 || index >= length) throw refuse();
  return index;
}

function get(part: Part, key: string): Json {
  return Object.hasOwn(part, key) ? ((part as Record<string, Json>)[key] as Json) : null;
}

function put(part: Part, key: string, value: Json): void {
  if (Array.isArray(part)) part[Number(key)] = value;
  else setKey(part, key, value);
}

function add(part: Part, token: string, value: Json, refuse: Refuse): void {
  if (!Array.isArray(part)) setKey(part, token, value);
  else if (token === '-') part.push(value);
  else part.splice(indexIn(token, part.length + 1, refuse), 0, value);
}

function remove(part: Part, token: string, refuse: Refuse): void {
  if (Array.isArray(part)) part.splice(indexIn(token, part.length, refuse), 1);
  else if (Object.hasOwn(part, token)) delete part[token];
  else throw refuse();
}

function refused({ op, path }: JsonObject): ClusterError {
  const what = `${String(op)} ${String(path)}`;
  return new ClusterError(
    'Invalid',
    `the server rejected our request due to an error in our request (${what})`,
  );
}
