import { type ErrorCode, errorCatalog } from '../api/error-catalog.ts';
import { CodedError } from '../base/coded-error.ts';
import type { Exit } from './exit-codes.ts';

/** A failure as a person is told it: one line and what to do; the trace only when asked for. */
export function sayFailure(error: unknown, verbose: boolean): { readonly text: string; readonly exit: Exit } {
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  const trace = verbose && error instanceof Error ? `\n${error.stack ?? ''}` : '';
  return {
    text: `afloat: ${message} (${code})\n    ${errorCatalog[code].advice}${trace}\n`,
    exit: errorCatalog[code].class === 'terminal' ? 'invalid' : 'failed',
  };
}

function codeOf(error: unknown): ErrorCode {
  return error instanceof CodedError && Object.hasOwn(errorCatalog, error.code)
    ? (error.code as ErrorCode)
    : 'Bug';
}
