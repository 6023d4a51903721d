import type { ClusterObject } from '../../cluster.ts';
import { keyProblem, labelValueProblem } from '../objects/names.ts';
import { badRequest } from '../objects/refusals.ts';

export type Labels = Readonly<Record<string, string>>;
type Test = (labels: Labels) => boolean;

const noLabels: Labels = {};

/** Whether the labels of an object meet a selector. Throws `BadRequest` for a selector that cannot be read. */
export function labelSelector(text: string): (object: ClusterObject) => boolean {
  const tests = split(text).map(part => parse(part, text));
  return object => {
    const labels = object.metadata.labels ?? noLabels;
    return tests.every(test => test(labels));
  };
}

/** The parts between commas, but for those inside brackets. */
function split(text: string): string[] {
  return text
    .split(/,(?![^(]*\))/)
    .map(part => part.trim())
    .filter(part => part !== '');
}

function parse(part: string, whole: string): Test {
  const set = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/.exec(part);
  if (set) {
    const [, key = '', how, list = ''] = set;
    const values = list.split(',').map(value => checkedValue(value.trim(), whole));
    const name = checkedKey(key, whole);
    return how === 'in'
      ? labels => labels[name] !== undefined && values.includes(labels[name])
      : labels => labels[name] === undefined || !values.includes(labels[name]);
  }
  const order = /^(.*?)\s*([<>])\s*(-?\d+)$/.exec(part);
  if (order) {
    const [name, limit] = [checkedKey(order[1] ?? '', whole), Number(order[3])];
    return labels => {
      const value = /^-?\d+$/.test(labels[name] ?? '') ? Number(labels[name]) : Number.NaN;
      return order[2] === '>' ? value > limit : value < limit;
    };
  }
  const pair = /^(.*?)(==|=|!=)(.*)$/.exec(part);
  if (pair) {
    const [key, value] = [
      checkedKey((pair[1] ?? '').trim(), whole),
      checkedValue((pair[3] ?? '').trim(), whole),
    ];
    return pair[2] === '!=' ? labels => labels[key] !== value : labels => labels[key] === value;
  }
  if (part.startsWith('!')) {
    const key = checkedKey(part.slice(1).trim(), whole);
    return labels => labels[key] === undefined;
  }
  const key = checkedKey(part, whole);
  return labels => labels[key] !== undefined;
}

function checkedKey(key: string, whole: string): string {
  const problem = keyProblem(key);
  if (problem) throw unreadable(whole, `key "${key}": ${problem}`);
  return key;
}

function checkedValue(value: string, whole: string): string {
  const problem = labelValueProblem(value);
  if (problem) throw unreadable(whole, `value "${value}": ${problem}`);
  return value;
}

function unreadable(whole: string, why: string): Error {
  return badRequest(`unable to parse requirement of the label selector "${whole}": ${why}`);
}
