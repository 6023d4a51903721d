import { isMap, isSeq, type LineCounter, type Pair, type YAMLMap } from 'yaml';
import type { FieldPath } from '../api/schema/problem.ts';
import { type AliasTargets, follow, isMergePair, keyOf, mergedNodes, offsetOf } from './yaml-nodes.ts';

/** Line and column of a place in a file, counted from 1. */
export interface LineColumn {
  readonly line: number;
  readonly column: number;
}

/** Which half of a field is meant: its name, or what it says. */
export type FieldPart = 'key' | 'value';

/** Line and column of a field; of the nearest parent that is there when the field is not. */
export type Locate = (path: FieldPath, part?: FieldPart) => LineColumn | undefined;

/** What a step into a map or list leads to: a node, and its key where it is in a map. */
interface Child {
  readonly key?: unknown;
  readonly node: unknown;
}

/** A `Locate` over the nodes of a document whose conversion succeeded, so that merges cannot go round in a circle. */
export function makeLocate(contents: unknown, targets: AliasTargets, lines: LineCounter): Locate {
  const tree = new Tree(targets);
  return (path, part = 'value') => {
    let node = contents;
    let offset = offsetOf(contents);
    for (const [depth, step] of path.entries()) {
      const child = tree.child(node, step);
      if (!child) break;
      const wantsKey = part === 'key' && depth === path.length - 1;
      offset = (wantsKey ? undefined : offsetOf(child.node)) ?? offsetOf(child.key) ?? offset;
      node = child.node;
    }
    if (offset === undefined) return undefined;
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
}

/** Steps through nodes. Maps are indexed once, so that a thousand findings do not search a thousand keys each. */
class Tree {
  readonly #targets: AliasTargets;
  readonly #indexes = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

  constructor(targets: AliasTargets) {
    this.#targets = targets;
  }

  child(node: unknown, step: string | number): Child | undefined {
    const parent = follow(node, this.#targets);
    if (isSeq(parent)) {
      return typeof step === 'number' && step in parent.items ? { node: parent.items[step] } : undefined;
    }
    const pair = isMap(parent) ? this.#indexOf(parent).get(String(step)) : undefined;
    return pair && { key: pair.key, node: pair.value };
  }

  #indexOf(map: YAMLMap): ReadonlyMap<string, Pair> {
    const known = this.#indexes.get(map);
    if (known) return known;
    const index = new Map<string, Pair>();
    for (const pair of map.items) if (!isMergePair(pair)) index.set(keyOf(pair), pair);
    const merges = map.items.filter(isMergePair).flatMap(pair => mergedNodes(pair, this.#targets));
    for (const node of merges) {
      const merged = follow(node, this.#targets);
      if (!isMap(merged)) continue;
      for (const [key, pair] of this.#indexOf(merged)) if (!index.has(key)) index.set(key, pair);
    }
    this.#indexes.set(map, index);
    return index;
  }
}
