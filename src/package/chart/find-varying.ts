import { type Finding, finding, formatPath } from '../../api/finding.ts';
import type { FieldPath } from '../../api/schema/problem.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { identityOf, taskKinds } from '../object-kinds.ts';
import type { ChartObject } from './chart-object.ts';
import type { ChartRender } from './chart-renderer.ts';

/** Stands for what a chart made at random: no plan shows it, and no digest knows it. It can be part of a name. */
export const randomMark = 'afloat0random0mark';

/** So many places are told one by one. */
const mostTold = 20;

/**
 * Compares two renders of one chart with the same values. What differs is what the chart invents: it is named, and in the objects that are
 * given a mark stands for it, word by word, so that a change of what stands beside it is still seen. An object that is another one each time
 * is a finding: nobody could find it again. But a task may have any name, for it is run under one of ours.
 */
export function findVarying(
  first: readonly ChartObject[],
  second: readonly ChartObject[],
  location: string,
): ChartRender {
  const others = new Map(second.map((one, index) => [keyIn(second, index), one]));
  const comparison: Comparison = { location, varying: [], findings: [] };
  const objects = first.map((one, index) => {
    const other = others.get(keyIn(first, index));
    if (!other || first.length !== second.length) {
      comparison.findings.push(inFile(comparison, one, [], 'is not there each time the chart is rendered'));
      return one;
    }
    return { ...one, object: compareObject(one, other, comparison) };
  });
  const { varying, findings } = comparison;
  const told = varying.slice(0, mostTold);
  const more = varying.length - told.length;
  if (more > 0)
    told.push(
      finding('ChartVaries', `${more} more fields differ each time the chart is rendered`, {
        file: location,
      }),
    );
  return { objects, notes: told, findings };
}

interface Comparison {
  readonly location: string;
  readonly varying: Finding[];
  readonly findings: Finding[];
}

/** Names may be random, so objects are found again by their file, kind and place there. */
function keyIn(objects: readonly ChartObject[], index: number): string {
  const one = objects[index];
  if (!one) return '';
  const isAlike = (other: ChartObject) =>
    other.file === one.file && other.object['kind'] === one.object['kind'];
  const before = objects.slice(0, index).filter(isAlike).length;
  return JSON.stringify([one.file, one.object['kind'], before]);
}

function compareObject(one: ChartObject, other: ChartObject, comparison: Comparison): JsonObject {
  const { kind } = identityOf(one.object);
  const compare = (a: Json, b: Json, path: FieldPath): Json => {
    if (isObject(a) && isObject(b) && sameKeys(a, b))
      return Object.fromEntries(
        Object.entries(a).map(([key, item]) => [key, compare(item, b[key] ?? null, [...path, key])]),
      );
    if (isList(a) && isList(b) && a.length === b.length)
      return a.map((item, index) => compare(item, b[index] ?? null, [...path, index]));
    if (JSON.stringify(a) === JSON.stringify(b)) return a;
    const isName =
      path.length === 2 && path[0] === 'metadata' && (path[1] === 'name' || path[1] === 'namespace');
    const isShape = typeof a === 'object' || typeof b === 'object';
    if (isShape || (isName && !taskKinds.has(kind)))
      comparison.findings.push(
        inFile(comparison, one, path, 'is another one each time the chart is rendered'),
      );
    else comparison.varying.push(inFile(comparison, one, path, 'differs each time the chart is rendered'));
    return masked(a, b, kind === 'Secret' && path[0] === 'data');
  };
  return compare(one.object, other.object, []) as JsonObject;
}

function masked(a: Json, b: Json, isEncoded: boolean): Json {
  if (typeof a !== 'string' || typeof b !== 'string') return randomMark;
  if (!isEncoded) return maskWords(a, b);
  const [plain, other] = [a, b].map(text => Buffer.from(text, 'base64').toString('utf8'));
  return Buffer.from(maskWords(plain ?? '', other ?? '')).toString('base64');
}

/** The text with a mark for each word that the other text has otherwise; a mark alone where they are not alike. */
function maskWords(a: string, b: string): string {
  const [words, others] = [a.split(/([A-Za-z0-9]+)/), b.split(/([A-Za-z0-9]+)/)];
  if (words.length !== others.length) return randomMark;
  const isAlike = words.every((word, index) => index % 2 === 1 || word === others[index]);
  if (!isAlike) return randomMark;
  return words.map((word, index) => (word === others[index] ? word : randomMark)).join('');
}

function inFile(
  { location }: Comparison,
  { object, file }: ChartObject,
  path: FieldPath,
  what: string,
): Finding {
  const { kind, name } = identityOf(object);
  const field = formatPath(path);
  const isNamed = path[0] !== 'metadata' || path[1] !== 'name';
  const which = isNamed ? `${kind} ${name}` : `a ${kind}`;
  const message = `${field === '' ? which : `${field} of ${which}`} ${what}`;
  return finding('ChartVaries', message, { file: `${location}/${file}`, ...(field === '' ? {} : { field }) });
}

function sameKeys(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
