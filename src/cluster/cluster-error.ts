import type { ErrorCode } from '../api/error-catalog.ts';
import { CodedError } from '../base/coded-error.ts';

/** The reasons of a Kubernetes Status that callers decide by: HTTP status and code of the error catalogue. */
const reasons = {
  NotFound: { status: 404, code: 'ClusterNotFound' },
  AlreadyExists: { status: 409, code: 'ClusterAlreadyExists' },
  Conflict: { status: 409, code: 'ClusterConflict' },
  Invalid: { status: 422, code: 'ClusterInvalid' },
  BadRequest: { status: 400, code: 'ClusterBadRequest' },
  Unauthorized: { status: 401, code: 'ClusterUnauthorized' },
  Forbidden: { status: 403, code: 'ClusterForbidden' },
  Expired: { status: 410, code: 'ClusterExpired' },
  TooManyRequests: { status: 429, code: 'ClusterTooManyRequests' },
  MethodNotAllowed: { status: 405, code: 'ClusterMethodNotAllowed' },
  Timeout: { status: 504, code: 'ClusterTimeout' },
  ServiceUnavailable: { status: 503, code: 'ClusterServiceUnavailable' },
  InternalError: { status: 500, code: 'ClusterInternalError' },
  /** Nothing answered: the connection was refused, cut or timed out. What was asked for may or may not have happened. */
  Unreachable: { status: 0, code: 'ClusterUnreachable' },
} as const satisfies Record<string, { status: number; code: ErrorCode }>;

export type ClusterReason = keyof typeof reasons;

/** True for a word that is one of the reasons. */
export function isClusterReason(word: string): word is ClusterReason {
  return Object.hasOwn(reasons, word);
}

/** One field that is wrong, as an API server names it: `spec.services[0].name`. */
export interface FieldCause {
  readonly field: string;
  readonly reason: string;
  readonly message: string;
}

/** Which object an error is about. */
export interface ErrorSubject {
  readonly kind: string;
  readonly name: string;
}

/** An answer that is not the one asked for, in Kubernetes' own words. */
export class ClusterError extends CodedError {
  readonly reason: ClusterReason;
  /** The HTTP status code; 0 where there was none. */
  readonly status: number;
  /** Every field that is wrong, for `Invalid`; every field in conflict, for an apply. */
  readonly causes: readonly FieldCause[];
  /** How long the server asks to wait, for `TooManyRequests` and its like. */
  readonly retryAfterSeconds: number | undefined;
  /** The object whose fields are wrong, for `Invalid`. */
  readonly subject: ErrorSubject | undefined;

  constructor(
    reason: ClusterReason,
    message: string,
    more: {
      causes?: readonly FieldCause[];
      retryAfterSeconds?: number;
      cause?: unknown;
      subject?: ErrorSubject;
    } = {},
  ) {
    super(reasons[reason].code, message, more.cause === undefined ? {} : { cause: more.cause });
    this.name = 'ClusterError';
    this.reason = reason;
    this.status = reasons[reason].status;
    this.causes = more.causes ?? [];
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.subject = more.subject;
  }
}

/** True for an error of the cluster with one of these reasons. */
export function isReason(error: unknown, ...reasons: readonly ClusterReason[]): error is ClusterError {
  return error instanceof ClusterError && reasons.includes(error.reason);
}
