import type { Cluster, ObjectType } from '../cluster.ts';

/** A case of the contract that an implementation leaves out on purpose. */
export interface Difference {
  /** The sentence that names the case. */
  readonly leavesOut: string;
  readonly because: string;
}

/** One implementation, ready for a part of the contract suite. */
export interface ContractCluster {
  readonly cluster: Cluster;
  /** A namespace with nothing of ours in it; it is there already. */
  readonly namespace: string;
  readonly differences?: readonly Difference[];
  /** A resourceVersion that was once current and is now too long ago for a watch of that kind. */
  makeTooOld(type: ObjectType): Promise<string>;
  /** Frees everything; called once, after the last case. */
  close(): Promise<void>;
}
