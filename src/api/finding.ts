import { didYouMean } from '../base/did-you-mean.ts';
import { type ErrorCode, errorCatalog } from './error-catalog.ts';
import type { FieldPath, Problem } from './schema/problem.ts';

/**
 * One thing that is wrong with what a person gave us: where it is, what is wrong, what to do. Findings are values;
 * everything that reads input collects all of them and never stops at the first.
 */
export interface Finding {
  readonly code: ErrorCode;
  readonly message: string;
  readonly advice: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly field?: string;
}

/** Where a finding is. */
export type Place = Pick<Finding, 'file' | 'line' | 'column' | 'field'>;

/** A finding with the catalogue's advice, unless there is better advice for this one. */
export function finding(code: ErrorCode, message: string, place: Place = {}, advice?: string): Finding {
  return { code, message, advice: advice ?? errorCatalog[code].advice, ...place };
}

/** A schema's problem as a finding; a misspelt name or word gets a suggestion. */
export function findingOf(problem: Problem, place: Place): Finding {
  const near = problem.written !== undefined && didYouMean(problem.written, problem.candidates ?? []);
  const field = formatPath(problem.path);
  const advice = near ? `Did you mean \`${near}\`?` : undefined;
  const colon = problem.code === 'RuleBroken' ? ':' : '';
  const message = `${field || 'the document'}${colon} ${problem.message}`;
  return finding(problem.code, message, { ...place, field }, advice);
}

/** A path as people and API servers write it: `spec.services[0].name`. */
export function formatPath(path: FieldPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(part)) return `${text}[${JSON.stringify(part)}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}
