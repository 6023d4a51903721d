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

/** A path that leads nowhere: answered in plain words, by which clients know that a kind is gone. */
export class NothingHere extends ClusterError {
  constructor() {
    super('NotFound', '404 page not found');
  }
}

/** The answer to a path that leads nowhere. */
export function nothingHere(): ClusterError {
  return new NothingHere();
}

/** Parts of objects that a real server has and nothing here does, with what to do instead. */
const missingParts: Readonly<Record<string, string>> = {
  'pods/exec': 'its containers are processes of this machine: run what you need beside them',
  'pods/attach': 'its containers have no terminal: read what they write with kubectl logs',
  'pods/portforward': 'its addresses are those of this machine: connect to the Pod or its Service itself',
  'pods/proxy': 'its addresses are those of this machine: connect to the Pod itself',
  'services/proxy': 'its addresses are those of this machine: connect to the Service itself',
  'nodes/proxy': 'its node is this machine, and has no kubelet to ask',
  'pods/eviction': 'there is no other node to go to: delete the Pod',
  'pods/binding': 'there is one node, and every Pod is on it',
  'pods/ephemeralcontainers': 'a Pod has the containers it was made with',
  'pods/resize': 'a Pod has the resources it was made with',
  'serviceaccounts/token': 'there is one token, in its kubeconfig',
  'namespaces/finalize': 'a namespace ends when it is empty',
};

/** The answer for such a part; undefined where a real server has none either. */
export function partNotOffered(plural: string, part: string): ClusterError | undefined {
  const instead = missingParts[`${plural}/${part}`];
  if (instead === undefined) return undefined;
  return new ClusterError(
    'MethodNotAllowed',
    `${plural}/${part} is not offered by the embedded cluster: ${instead}`,
  );
}

/** The answer to a method that the place does not offer. */
export function notOffered(): ClusterError {
  return new ClusterError(
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
  );
}
