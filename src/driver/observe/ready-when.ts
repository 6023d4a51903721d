import { CodedError } from '../../base/coded-error.ts';
import { isObject } from '../../base/json.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import { type Condition, findCondition } from './condition.ts';
import { followJsonPath, parseJsonPath } from './json-path.ts';

/** A sentence about an object that is true or not; where a condition makes it true, that condition says why. */
export interface Expectation {
  readonly text: string;
  isMet(object: ClusterObject): boolean;
  /** The condition it is about, where it is about one. */
  condition(object: ClusterObject): Condition | undefined;
}

/**
 * Reads an annotation such as `condition=Ready`, `condition=Ready=False`, `jsonpath={.status.phase}=Succeeded` or
 * `jsonpath={.status.address}` (there at all). Throws `PackageInvalid`, naming object and annotation, where it is none of these.
 */
export function readExpectation(object: ClusterObject, annotation: string): Expectation | undefined {
  const text = object.metadata.annotations?.[annotation];
  if (text === undefined) return undefined;
  const expectation = parseExpectation(text.trim());
  if (expectation) return expectation;
  const where = `${object.kind} ${object.metadata.name ?? ''}, annotation ${annotation}`;
  throw new CodedError(
    'PackageInvalid',
    `${where}: "${text}" is not an expression; write condition=Name, condition=Name=Status or jsonpath={.path}=value`,
    { details: { object: `${object.kind} ${object.metadata.name ?? ''}`, annotation, expression: text } },
  );
}

/** Reads one expression; undefined where it is none. */
export function parseExpectation(text: string): Expectation | undefined {
  return ofCondition(text) ?? ofPath(text);
}

function ofCondition(text: string): Expectation | undefined {
  const match = /^condition=([A-Za-z0-9][\w./-]*)(?:=(\w+))?$/.exec(text);
  if (!match) return undefined;
  const [, type = '', status = 'True'] = match;
  const condition = (object: ClusterObject) => findCondition(object, type);
  return { text, condition, isMet: object => sameWord(condition(object)?.status, status) };
}

function ofPath(text: string): Expectation | undefined {
  const match = /^jsonpath=(['"]?)\{(.*)\}\1(?:=(.+))?$/s.exec(text);
  const path = match && parseJsonPath(match[2] ?? '');
  if (!path) return undefined;
  const value = match[3];
  return {
    text,
    condition: () => undefined,
    isMet: object => {
      const found = followJsonPath(path, object);
      return value === undefined ? found.length > 0 : found.some(one => textOf(one) === value);
    },
  };
}

/** As `kubectl wait` does: True and true are the same. */
function sameWord(a: string | undefined, b: string): boolean {
  return a?.toLowerCase() === b.toLowerCase();
}

function textOf(value: unknown): string {
  return isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
}
