import { CodedError } from '../../base/coded-error.ts';
import { ClusterError, isReason } from '../../cluster/cluster-error.ts';
import { WireRefusal } from './wire-refusal.ts';

/** What the request was about, as far as it is known. */
export interface AskedFor {
  readonly name?: string | undefined;
  readonly group?: string;
  readonly plural?: string;
}

/** A failure as Kubernetes writes it. */
export interface StatusBody {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: object;
  readonly status: 'Failure';
  readonly message: string;
  readonly reason: string;
  readonly details: object;
  readonly code: number;
}

/**
 * The Status of an error: nothing that a client decides by is lost on the way. What is no error of the cluster says nothing of
 * itself but for a `CodedError`, whose words are meant to be read.
 */
export function statusOfError(error: unknown, about: AskedFor = {}): StatusBody {
  const { reason, code } = reasonAndCode(error);
  const { causes = [], retryAfterSeconds } = error instanceof ClusterError ? error : {};
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: error instanceof CodedError ? error.message : 'the server failed by itself',
    reason,
    details: {
      ...subjectOf(error, about),
      ...(causes.length === 0 ? {} : { causes }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
    code,
  };
}

/**
 * What a failure is about. Of an object that is wrong its kind is named, of a request the word of the path; of a patch, and of fields that
 * belong to somebody else, nothing.
 */
function subjectOf(error: unknown, { name, group, plural }: AskedFor): object {
  const isWrong = isReason(error, 'Invalid');
  const { subject } = isWrong ? error : {};
  if ((isWrong && !subject) || (isReason(error, 'Conflict') && error.causes.length > 0)) return {};
  const [shown, kind] = subject ? [subject.name, subject.kind] : [name ?? nameTaken(error), plural];
  return {
    ...(shown === undefined ? {} : { name: shown }),
    ...(group ? { group } : {}),
    ...(kind === undefined ? {} : { kind }),
  };
}

/** The path of a create says no name; the refusal does. */
function nameTaken(error: unknown): string | undefined {
  return isReason(error, 'AlreadyExists') ? /"([^"]+)" already exists$/.exec(error.message)?.[1] : undefined;
}

function reasonAndCode(error: unknown): { readonly reason: string; readonly code: number } {
  if (error instanceof WireRefusal) return { reason: error.wireReason, code: error.wireStatus };
  if (!(error instanceof ClusterError)) return { reason: 'InternalError', code: 500 };
  // Nothing answered behind this server: as after a time-out, what was asked for may have been done.
  if (error.reason === 'Unreachable') return { reason: 'Timeout', code: 504 };
  return { reason: error.reason, code: error.status };
}
