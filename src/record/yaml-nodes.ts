import { type Alias, isAlias, isMap, isPair, isScalar, isSeq, type Node, type Pair } from 'yaml';

/** What each alias of a document stands for; an alias that is not in it has no anchor before it. */
export type AliasTargets = ReadonlyMap<Alias, Node>;

/**
 * Finds the anchor of every alias in one pass in the order of the text, as YAML wants it: an alias stands for the last
 * anchor of that name before it. (The library's own `resolve` walks the whole document anew for every alias.)
 */
export function findAliasTargets(contents: unknown): AliasTargets {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  const visit = (node: unknown): void => {
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target) targets.set(node, target);
      return;
    }
    if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor) anchors.set(node.anchor, node);
    if (isMap(node) || isSeq(node)) node.items.forEach(visit);
    if (isPair(node)) {
      visit(node.key);
      visit(node.value);
    }
  };
  visit(contents);
  return targets;
}

/** The node itself, or what it stands for when it is an alias. */
export function follow(node: unknown, targets: AliasTargets): unknown {
  return isAlias(node) ? targets.get(node) : node;
}

/** The text of a key; the parser lets only text through. */
export function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : '';
}

/** Whether a pair is `<<`, written without quotes, which brings in the keys of other maps. */
export function isMergePair(pair: Pair): boolean {
  return isScalar(pair.key) && pair.key.type === 'PLAIN' && pair.key.value === '<<';
}

/** The nodes that a merge pair brings in, the strongest first: one, or a list of them. */
export function mergedNodes(pair: Pair, targets: AliasTargets): readonly unknown[] {
  const node = follow(pair.value, targets);
  return isSeq(node) ? node.items : [pair.value];
}

/** Where a node starts in the text; undefined for one that was never written. */
export function offsetOf(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range?.[0] : undefined;
}
