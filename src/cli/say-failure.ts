import { type ErrorCode, errorCatalog } from '../api/error-catalog.ts';
import { type Finding, finding } from '../api/finding.ts';
import { CodedError } from '../base/coded-error.ts';
import { type Exit, exitOfError } from './exit-codes.ts';
import { printable } from './printable.ts';

/** What stopped a command, as every finding is told: programs get it as it is, people as a text. */
export interface Failure {
  readonly finding: Finding & { readonly details?: Readonly<Record<string, unknown>> };
  readonly exit: Exit;
}

/** An error as what stopped a command. What is not ours is a bug. */
export function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  const details = error instanceof CodedError ? error.details : {};
  return {
    finding: { ...finding(code, message), ...(Object.keys(details).length > 0 ? { details } : {}) },
    exit: exitOfError(code),
  };
}

/** A failure as a person is told it: one line and what to do. */
export function sayFailure({ finding: { code, message, advice } }: Failure): string {
  const lines = message.split('\n').map(printable).join('\n    ');
  return `afloat: ${lines} (${code})\n    ${printable(advice)}\n`;
}

function codeOf(error: unknown): ErrorCode {
  return error instanceof CodedError && Object.hasOwn(errorCatalog, error.code)
    ? (error.code as ErrorCode)
    : 'Bug';
}
