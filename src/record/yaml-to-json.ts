import { isAlias, isMap, isScalar, isSeq, type Pair, type Scalar, type YAMLMap } from 'yaml';
import type { ErrorCode } from '../api/error-catalog.ts';
import type { FieldPath } from '../api/schema/problem.ts';
import { type Json, setKey } from '../base/json.ts';
import { maxDepth } from './yaml-limits.ts';
import { type AliasTargets, follow, isMergePair, keyOf, mergedNodes, offsetOf } from './yaml-nodes.ts';

/** How many nodes aliases may add to a document; a few lines of YAML can ask for billions. */
const maxAddedNodes = 200_000;

/** Something a YAML document says that JSON cannot, by its place in the text. */
export interface JsonProblem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly path: FieldPath;
  readonly offset: number | undefined;
  /** Whether the value is still what the text says; if not, nobody should read it. */
  readonly harmless: boolean;
}

/**
 * The value of a node, with aliases and merge keys written out, and all that is wrong with it. Keys become plain data,
 * `__proto__` too. A key that is there twice has its last value.
 */
export function toJson(node: unknown, targets: AliasTargets): { value: Json; problems: JsonProblem[] } {
  const reading = new Reading(targets);
  return { value: reading.read(node, [], 0), problems: reading.problems };
}

class Reading {
  readonly problems: JsonProblem[] = [];
  readonly #targets: AliasTargets;
  #added = 0;
  /** Inside this many aliases. What they stand for is reported once, where it is written. */
  #aliases = 0;
  /** The outermost of those aliases: where a person wrote what grows too large. */
  #outermost: { path: FieldPath; node: unknown } | undefined;
  #gaveUp = false;

  constructor(targets: AliasTargets) {
    this.#targets = targets;
  }

  read(node: unknown, path: FieldPath, depth: number): Json {
    if (this.#gaveUp || this.#isTooMuch(node, path, depth)) return null;
    if (isAlias(node)) return this.#readAlias(node, path, depth);
    if (isMap(node)) return this.#readMap(node, path, depth);
    if (isSeq(node)) return node.items.map((item, index) => this.read(item, [...path, index], depth + 1));
    return isScalar(node) ? this.#readScalar(node, path) : null;
  }

  #isTooMuch(node: unknown, path: FieldPath, depth: number): boolean {
    if (this.#aliases > 0) this.#added++;
    const isDeep = depth > maxDepth;
    if (!isDeep && this.#added <= maxAddedNodes) return false;
    this.#gaveUp = true;
    const message = isDeep
      ? `is nested more than ${maxDepth} deep`
      : `grows by more than ${maxAddedNodes} values through aliases`;
    const at = this.#aliases > 0 && this.#outermost ? this.#outermost : { path, node };
    const offset = offsetOf(at.node);
    this.problems.push({ code: 'YamlTooComplex', message, path: at.path, offset, harmless: false });
    return true;
  }

  #readAlias(alias: unknown, path: FieldPath, depth: number): Json {
    const target = follow(alias, this.#targets);
    if (target === undefined) {
      this.#report('YamlSyntax', 'stands for an anchor that is not set before it', path, alias);
      return null;
    }
    if (this.#aliases === 0) this.#outermost = { path, node: alias };
    this.#aliases++;
    const value = this.read(target, path, depth);
    this.#aliases--;
    return value;
  }

  #readMap(map: YAMLMap, path: FieldPath, depth: number): Json {
    const value: Record<string, Json> = {};
    for (const pair of map.items) if (isMergePair(pair)) this.#merge(value, pair, path, depth);
    const seen = new Set<string>();
    for (const pair of map.items) {
      if (isMergePair(pair)) continue;
      const key = keyOf(pair);
      if (seen.has(key)) this.#report('FieldDuplicate', 'is there twice', [...path, key], pair.key, true);
      seen.add(key);
      setKey(value, key, this.read(pair.value, [...path, key], depth + 1));
    }
    return value;
  }

  /** Brings in keys that are not there yet: of several merged maps the first wins, and the map's own keys win over all. */
  #merge(value: Record<string, Json>, pair: Pair, path: FieldPath, depth: number): void {
    for (const node of mergedNodes(pair, this.#targets)) {
      if (!isMap(follow(node, this.#targets))) {
        this.#report('YamlSyntax', 'can only bring in maps', [...path, '<<'], pair.key);
        continue;
      }
      // One level down, so that a map that merges itself ends at the limit.
      const merged = this.read(node, path, depth + 1) ?? {};
      for (const [key, item] of Object.entries(merged)) {
        if (!Object.hasOwn(value, key)) setKey(value, key, item);
      }
    }
  }

  #readScalar(scalar: Scalar, path: FieldPath): Json {
    const { value, source } = scalar;
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    const isNumber = typeof value === 'number' && Number.isFinite(value);
    if (isNumber && isExact(value, source ?? '')) return value;
    const message = isNumber
      ? 'is a whole number too large to be kept exactly; put it in quotes'
      : 'is a value that JSON cannot hold';
    this.#report('FieldInvalid', message, path, scalar);
    return null;
  }

  #report(code: ErrorCode, message: string, path: FieldPath, node: unknown, harmless = false): void {
    if (this.#aliases === 0) this.problems.push({ code, message, path, offset: offsetOf(node), harmless });
  }
}

/** False for a whole number that was rounded when it was read, so that it would be printed otherwise than written. */
function isExact(value: number, source: string): boolean {
  if (!/^[-+]?\d+$/.test(source) || String(value) === source) return true;
  // What begins with a zero may be octal, and then is another number in decimal.
  if (/^[-+]?0/.test(source) && Number.isSafeInteger(value)) return true;
  return BigInt(source) === BigInt(value);
}
