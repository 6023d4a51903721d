import { ClusterError, type FieldCause } from '../../cluster-error.ts';
import { type KindRules, resourceOf } from '../kinds/kind-rules.ts';

/** The words in which an API server refuses, so that programs and people find what they know. */

export function notFound(rules: KindRules, name: string): ClusterError {
  return new ClusterError('NotFound', `${resourceOf(rules)} "${name}" not found`);
}

export function alreadyExists(rules: KindRules, name: string): ClusterError {
  return new ClusterError('AlreadyExists', `${resourceOf(rules)} "${name}" already exists`);
}

export function conflict(rules: KindRules, name: string, why: string): ClusterError {
  return new ClusterError(
    'Conflict',
    `Operation cannot be fulfilled on ${resourceOf(rules)} "${name}": ${why}`,
  );
}

/** Somebody else wrote in between. */
export function changedMeanwhile(rules: KindRules, name: string): ClusterError {
  const advice =
    'the object has been modified; please apply your changes to the latest version and try again';
  return conflict(rules, name, advice);
}

export function forbidden(rules: KindRules, name: string, why: string): ClusterError {
  return new ClusterError('Forbidden', `${resourceOf(rules)} "${name}" is forbidden: ${why}`);
}

/** What is applied does not fit its type. A server calls that a failure of its own, and so must we. */
export function untyped(why: string): ClusterError {
  return new ClusterError('InternalError', `failed to create typed patch object: ${why}`);
}

export function badRequest(why: string): ClusterError {
  return new ClusterError('BadRequest', why);
}

/** Every field that is wrong, in one error. */
export function invalid(rules: KindRules, name: string, causes: readonly FieldCause[]): ClusterError {
  const kind = rules.group === '' ? rules.kind : `${rules.kind}.${rules.group}`;
  const words = causes.map(({ field, message }) => `${field}: ${message}`);
  const [first = ''] = words;
  const all = words.length === 1 ? first : `[${words.join(', ')}]`;
  return new ClusterError('Invalid', `${kind} "${name}" is invalid: ${all}`, {
    causes,
    subject: { kind: rules.kind, name },
  });
}

export function wrong(field: string, value: unknown, why: string): FieldCause {
  return { field, reason: 'FieldValueInvalid', message: `Invalid value: ${JSON.stringify(value)}: ${why}` };
}

export function unsupported(field: string, value: unknown, known: readonly string[]): FieldCause {
  const words = known.map(one => JSON.stringify(one)).join(', ');
  const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${words}`;
  return { field, reason: 'FieldValueNotSupported', message };
}

export function tooLong(field: string, mostBytes: number): FieldCause {
  const message = `Too long: may not be more than ${mostBytes} bytes`;
  return { field, reason: 'FieldValueTooLong', message };
}

export function missing(field: string, why = ''): FieldCause {
  return { field, reason: 'FieldValueRequired', message: `Required value${why && `: ${why}`}` };
}

export function duplicate(field: string, value: unknown): FieldCause {
  return { field, reason: 'FieldValueDuplicate', message: `Duplicate value: ${JSON.stringify(value)}` };
}

export function notAllowed(field: string, why: string): FieldCause {
  return { field, reason: 'FieldValueForbidden', message: `Forbidden: ${why}` };
}
