import { errorCatalog } from '../api/error-catalog.ts';
import { CodedError } from '../base/coded-error.ts';

/** An unexpected failure as a person is told it: one line and what to do; the trace only when asked for. */
export function sayFailure(error: unknown, verbose: boolean): string {
  const message = error instanceof Error ? error.message : String(error);
  const code =
    error instanceof CodedError && error.code in errorCatalog
      ? (error.code as keyof typeof errorCatalog)
      : 'Bug';
  const trace = verbose && error instanceof Error ? `\n${error.stack ?? ''}` : '';
  return `afloat: ${message} (${code})\n    ${errorCatalog[code].advice}${trace}\n`;
}
