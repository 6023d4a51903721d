import { ClusterError } from '../../cluster/cluster-error.ts';

/** Reasons of a Status that only a server has, with their status codes. A client sees them as `BadRequest`. */
const codes = {
  NotAcceptable: 406,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
} as const;

/** A request that is refused for how it was sent, before anybody looked at what it says. */
export class WireRefusal extends ClusterError {
  readonly wireReason: keyof typeof codes;

  constructor(reason: keyof typeof codes, message: string) {
    super('BadRequest', message);
    this.wireReason = reason;
  }

  get wireStatus(): number {
    return codes[this.wireReason];
  }
}

/** The answer to a path that leads nowhere, in the words by which clients know that a kind is gone. */
export function nothingHere(): ClusterError {
  return new ClusterError('NotFound', '404 page not found');
}

/** The answer to a method that the place does not offer. */
export function notOffered(): ClusterError {
  return new ClusterError(
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
  );
}
