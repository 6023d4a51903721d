/**
 * The one class of error thrown on purpose. `code` is a key of the error catalogue (api/error-catalog.ts); callers
 * decide by it and never by the message.
 */
export class CodedError extends Error {
  readonly code: string;
  /** Facts about this one failure, for logs and `-o json`. Never a secret. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: string,
    message: string,
    more: { cause?: unknown; details?: Record<string, unknown> } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'CodedError';
    this.code = code;
    this.details = more.details ?? {};
  }
}
