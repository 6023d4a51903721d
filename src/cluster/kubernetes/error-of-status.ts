import { isObject, type Json } from '../../base/json.ts';
import { ClusterError, type ClusterReason, type FieldCause, isClusterReason } from '../cluster-error.ts';

/** Reasons of a Status that are not ours by name, and what they mean to a caller. */
const alsoKnownAs: Readonly<Record<string, ClusterReason>> = {
  Gone: 'Expired',
  ServerTimeout: 'Timeout',
  NotAcceptable: 'BadRequest',
  UnsupportedMediaType: 'BadRequest',
  RequestEntityTooLarge: 'BadRequest',
  StoreReadError: 'InternalError',
};

/** What a status code means where the answer does not give its reason: proxies and handlers that speak plain text. */
const byStatusCode: Readonly<Record<number, ClusterReason>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Expired',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  502: 'ServiceUnavailable',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/**
 * The error of an answer that is not a success: the reason and causes of its Status, or what its status code means.
 * `retryAfter` is the header of that name.
 */
export function errorOfStatus(statusCode: number, body: unknown, retryAfter?: string): ClusterError {
  const status = isObject(body) && body['kind'] === 'Status' ? body : {};
  const details = isObject(status['details']) ? status['details'] : {};
  const seconds = secondsOf(details['retryAfterSeconds']) ?? secondsOf(retryAfter);
  const message = textOf(status['message']) ?? plainText(body) ?? 'no reason given';
  return new ClusterError(reasonOf(status['reason'], statusCode), withoutLongValues(message), {
    causes: Array.isArray(details['causes']) ? details['causes'].map(causeOf).filter(isAboutField) : [],
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
  });
}

function reasonOf(reason: Json | undefined, statusCode: number): ClusterReason {
  const word = textOf(reason) ?? '';
  if (isClusterReason(word) && word !== 'Unreachable') return word;
  return alsoKnownAs[word] ?? byStatusCode[statusCode] ?? (statusCode < 500 ? 'BadRequest' : 'InternalError');
}

function causeOf(cause: Json): FieldCause {
  const of = isObject(cause) ? cause : {};
  return {
    field: textOf(of['field']) ?? '',
    reason: textOf(of['reason']) ?? '',
    message: withoutLongValues(textOf(of['message']) ?? ''),
  };
}

/** An API server puts a remark among the causes, that rules were not checked because fields are wrong. */
function isAboutField(cause: FieldCause): boolean {
  return cause.field !== '<nil>';
}

/** A refused patch is answered with the whole object in the message, a Secret too: no log shall have that. */
function withoutLongValues(message: string): string {
  return message.replace(/Invalid value: "(?:[^"\\]|\\.){100,}"/gs, 'Invalid value');
}

function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The beginning of an answer that is no JSON: enough to see who spoke. */
function plainText(body: unknown): string | undefined {
  return textOf(body)?.trim().slice(0, 200);
}
