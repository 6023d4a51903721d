import { isObject, type Json } from '../../base/json.ts';

/** One step of a path: a field, an item, all items, or those in which something is so. */
type Step =
  | { readonly field: string }
  | { readonly item: number }
  | { readonly all: true }
  | { readonly where: readonly Step[]; readonly is: string; readonly not: boolean };

/** A path that was read; finds what stands there. */
export type FindByPath = (value: unknown) => readonly Json[];

const known = new Map<string, FindByPath>();

/**
 * Reads a path as columns of a definition have it: `.spec.a`, `.a['b.c']`, `.list[0]`, `.list[*].name`, `.conditions[?(@.type=="Ready")].status`.
 * One that says more finds nothing.
 */
export function jsonPath(text: string): FindByPath {
  const seen = known.get(text);
  if (seen) return seen;
  const steps = stepsOf(text);
  const find: FindByPath = value => (steps ? follow(steps, value) : []);
  known.set(text, find);
  return find;
}

const pieces =
  /^(?:\.((?:\\.|[^.[\]\\])+)|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\[(-?\d+)\]|\[(\*)\]|\[\?\(@((?:\.(?:\\.|[^.[\]=!<>\s])+)+)\s*(==|!=)\s*(?:"([^"]*)"|'([^']*)'|(\w+))\)\])/;

function stepsOf(text: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  for (let rest = text.trim(); rest !== ''; ) {
    const match = pieces.exec(rest);
    if (!match) return undefined;
    const [whole, field, single, double, item, all, below, sign, ...texts] = match;
    const name = field ?? single ?? double;
    if (name !== undefined) steps.push({ field: name.replaceAll(/\\(.)/g, '$1') });
    else if (item !== undefined) steps.push({ item: Number(item) });
    else if (all !== undefined) steps.push({ all: true });
    else {
      const is = texts.find(one => one !== undefined) ?? '';
      steps.push({ where: stepsOf(below ?? '') ?? [], is, not: sign === '!=' });
    }
    rest = rest.slice(whole.length);
  }
  return steps;
}

function follow(steps: readonly Step[], value: unknown): readonly Json[] {
  let found: readonly Json[] = [value as Json];
  for (const step of steps) found = found.flatMap(one => next(step, one));
  return found;
}

function next(step: Step, value: Json): readonly Json[] {
  if ('field' in step) {
    return isObject(value) && Object.hasOwn(value, step.field) ? [value[step.field] as Json] : [];
  }
  if (!Array.isArray(value)) return [];
  const items = value as readonly Json[];
  if ('all' in step) return items;
  if ('item' in step) return items.slice(step.item).slice(0, 1);
  return items.filter(item => follow(step.where, item).some(one => String(one) === step.is) !== step.not);
}
