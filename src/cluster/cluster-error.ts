import { CodedError } from '../base/coded-error.ts';

/** The reasons of a Kubernetes Status that callers decide by. */
export const clusterReasons = {
  NotFound: 404,
  AlreadyExists: 409,
  Conflict: 409,
  Invalid: 422,
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  Expired: 410,
  TooManyRequests: 429,
  MethodNotAllowed: 405,
  Timeout: 504,
  ServiceUnavailable: 503,
  InternalError: 500,
  /** Nothing answered: the connection was refused, cut or timed out. What was asked for may or may not have happened. */
  Unreachable: 0,
} as const;

export type ClusterReason = keyof typeof clusterReasons;

/** One field that is wrong, as an API server names it: `spec.services[0].name`. */
export interface FieldCause {
  readonly field: string;
  readonly reason: string;
  readonly message: string;
}

/** An answer that is not the one asked for, in Kubernetes' own words. `code` of the catalogue is `Cluster` + reason. */
export class ClusterError extends CodedError {
  readonly reason: ClusterReason;
  /** The HTTP status code; 0 where there was none. */
  readonly status: number;
  /** Every field that is wrong, for `Invalid`; every field in conflict, for an apply. */
  readonly causes: readonly FieldCause[];
  /** How long the server asks to wait, for `TooManyRequests` and its like. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    reason: ClusterReason,
    message: string,
    more: { causes?: readonly FieldCause[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(`Cluster${reason}`, message, more.cause === undefined ? {} : { cause: more.cause });
    this.name = 'ClusterError';
    this.reason = reason;
    this.status = clusterReasons[reason];
    this.causes = more.causes ?? [];
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

/** True for an error of the cluster with one of these reasons. */
export function isReason(error: unknown, ...reasons: readonly ClusterReason[]): error is ClusterError {
  return error instanceof ClusterError && reasons.includes(error.reason);
}
