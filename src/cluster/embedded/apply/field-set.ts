/**
 * A set of fields in the form that `managedFields` has (FieldsV1): a tree whose keys are `f:name`, `k:{"name":"x"}` for an item
 * told apart by keys, `v:"x"` for an item of a set. A branch is in the set itself when it has the key `.` or nothing
 * below it. The empty set is `undefined`.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet;
}

/** The set that is the field itself and nothing below. */
export const leaf: FieldSet = Object.freeze({});

/** A branch of these parts; `isMember` when the field itself is in the set. */
export function branch(parts: Record<string, FieldSet>, isMember: boolean): FieldSet | undefined {
  if (isMember) return hasParts(parts) ? { '.': leaf, ...parts } : leaf;
  return hasParts(parts) ? parts : undefined;
}

/** True when the field itself is in the set, and not only something below it. */
export function isMember(set: FieldSet): boolean {
  return set['.'] !== undefined || !hasParts(set);
}

/** What is in one or the other; `a` itself where `b` adds nothing. */
export function union(a: FieldSet | undefined, b: FieldSet | undefined): FieldSet | undefined {
  if (!a || a === b) return b;
  if (!b) return a;
  const gains: Record<string, FieldSet> = {};
  for (const element of Object.keys(b)) {
    if (element === '.') continue;
    const both = union(a[element], b[element]);
    if (both && both !== a[element]) gains[element] = both;
  }
  const isIn = isMember(a) || isMember(b);
  if (!hasParts(gains) && isIn === isMember(a)) return a;
  const { '.': _, ...parts } = a;
  return branch({ ...parts, ...gains }, isIn);
}

/** What is in `a` and not in `b`; `a` itself where that is all of it. */
export function difference(a: FieldSet | undefined, b: FieldSet | undefined): FieldSet | undefined {
  if (!a || !b || !meets(a, b)) return a;
  const parts: Record<string, FieldSet> = {};
  let isSame = !(isMember(a) && isMember(b));
  for (const element of Object.keys(a)) {
    if (element === '.') continue;
    const rest = difference(a[element], b[element]);
    if (rest !== a[element]) isSame = false;
    if (rest) parts[element] = rest;
  }
  return isSame ? a : branch(parts, isMember(a) && !isMember(b));
}

/** Whether two sets may have anything in common: a quick look at the first level. */
function meets(a: FieldSet, b: FieldSet): boolean {
  for (const element in b) if (a[element] !== undefined) return true;
  return isMember(a) && isMember(b);
}

/** What is in both. */
export function intersection(a: FieldSet | undefined, b: FieldSet | undefined): FieldSet | undefined {
  if (!a || !b) return undefined;
  const parts: Record<string, FieldSet> = {};
  for (const element of Object.keys(a)) {
    const both = element === '.' ? undefined : intersection(a[element], b[element]);
    if (both) parts[element] = both;
  }
  return branch(parts, isMember(a) && isMember(b));
}

/** The fields of a set as text: `.spec.containers[name="web"].image`. */
export function* fieldPaths(set: FieldSet | undefined, above = ''): Generator<string> {
  if (!set) return;
  if (above !== '' && isMember(set)) yield above;
  for (const element of Object.keys(set).sort()) {
    const below = set[element];
    if (element !== '.' && below) yield* fieldPaths(below, `${above}${elementText(element)}`);
  }
}

function elementText(element: string): string {
  const [mark, rest] = [element.slice(0, 2), element.slice(2)];
  if (mark === 'f:') return `.${rest}`;
  if (mark === 'v:') return `[=${rest}]`;
  const keys = JSON.parse(rest) as Record<string, unknown>;
  return `[${Object.entries(keys)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(',')}]`;
}

/** Whether there is anything below the field. */
export function hasParts(set: FieldSet): boolean {
  for (const _ in set) return true;
  return false;
}
