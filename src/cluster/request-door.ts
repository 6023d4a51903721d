/**
 * What both worlds refuse before anything is asked: values that are no JSON, objects without a type, names that would lead to another
 * path. All of it is `BadRequest`.
 */
import { isObject, setKey } from '../base/json.ts';
import type { ClusterObject, ObjectRef, ObjectType } from './cluster.ts';
import { ClusterError } from './cluster-error.ts';

/** How deep a value may be. Deeper ones, and those that hold themselves, would exhaust the stack. */
const deepest = 500;

function badRequest(why: string): ClusterError {
  return new ClusterError('BadRequest', why);
}

/**
 * A copy of a JSON value that shares nothing with it that could still be written to, without keys whose value is undefined: what
 * JSON would make of it. What JSON would change in silence or not take at all is refused, so that memory, disk and wire agree.
 */
export function copyJson<T>(value: T): T {
  return copy(value, 0) as T;
}

function copy(value: unknown, depth: number): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'object') throw badRequest(`${describe(value)} is no JSON`);
  if (depth > deepest) throw badRequest(`the value is nested deeper than ${deepest} levels`);
  if (Array.isArray(value)) {
    return value.map((item: unknown) => (item === undefined ? null : copy(item, depth + 1)));
  }
  const kind = Object.getPrototypeOf(value);
  if (kind === Object.prototype || kind === null) return copyObject(value, depth);
  if ('toJSON' in value && typeof value.toJSON === 'function') return copy(value.toJSON(), depth + 1);
  throw badRequest(`${describe(value)} is no JSON`);
}

function copyObject(value: object, depth: number): Record<string, unknown> {
  const copied: Record<string, unknown> = {};
  for (const key in value) {
    const item = (value as Record<string, unknown>)[key];
    if (item === undefined) continue;
    // An assignment would take this key for the prototype.
    if (key === '__proto__') setKey(copied, key, copy(item, depth + 1));
    else copied[key] = copy(item, depth + 1);
  }
  return copied;
}

function describe(value: unknown): string {
  if (typeof value === 'number' || value === undefined) return String(value);
  const name = typeof value === 'object' ? value?.constructor?.name : undefined;
  return `a ${name ?? typeof value}`;
}

/** A copy of an object that says what it is. */
export function copyObjectOfType(object: ClusterObject): ClusterObject {
  requireType(object);
  const copied = copyJson(object);
  const { metadata } = copied as { metadata?: unknown };
  if (metadata !== undefined && metadata !== null && !isObject(metadata)) {
    throw badRequest('metadata must be an object');
  }
  return isObject(metadata) ? copied : { ...copied, metadata: {} };
}

export function requireType(type: ObjectType): void {
  if (!isObject(type)) throw badRequest('an object is expected');
  const { apiVersion, kind } = type;
  if (typeof apiVersion !== 'string' || apiVersion === '') throw badRequest('apiVersion is missing');
  if (typeof kind !== 'string' || kind === '') throw badRequest('kind is missing');
}

/** A reference whose name and namespace are what they seem: nothing that would lead to another path on the way. */
export function requireRef(ref: ObjectRef): void {
  requireType(ref);
  if (typeof ref.name !== 'string' || ref.name === '') throw badRequest(`a ${ref.kind} without a name`);
  requireSegment('name', ref.name);
  requireNamespaceName(ref.namespace);
}

export function requireNamespaceName(namespace: string | undefined): void {
  if (namespace === undefined) return;
  if (typeof namespace !== 'string') throw badRequest('namespace must be a string');
  requireSegment('namespace', namespace);
}

function requireSegment(what: string, text: string): void {
  const isPath = text === '.' || text === '..' || text.includes('/') || text.includes('%');
  if (isPath)
    throw badRequest(`invalid ${what} ${JSON.stringify(text)}: may not be . or .. or contain / or %`);
}
