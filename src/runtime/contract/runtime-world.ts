import type { Cluster } from '../../cluster/cluster.ts';

/** What an implementation leaves out of the contract on purpose. */
export interface RuntimeDifference {
  /** The sentence that names the case, or the name of a topic, for all of its cases. */
  readonly leavesOut: string;
  readonly because: string;
}

/** Which container, and which of its runs. */
export interface LogsOf {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** The run before the one that is now. */
  readonly previous?: boolean;
}

/** A place where objects become processes, ready for the suite. What the suite needs and the cluster port does not offer. */
export interface RuntimeWorld {
  /** Objects that are created here are acted on, as controllers and a kubelet do. */
  readonly cluster: Cluster;
  /** The name of an image whose root has busybox: sh, wget, nc, httpd, sleep. It never has to be pulled. */
  readonly image: string;
  /** A folder of the machine on which Pods run, for hostPath volumes. Whoever made the world removes it. */
  readonly hostFolder: string;
  readonly differences?: readonly RuntimeDifference[];
  /** A namespace with nothing in it, in which Pods can be created. The suite deletes it, and does not wait for its end. */
  makeNamespace(): Promise<string>;
  /** What a container has written so far; rejects when there was no such run. */
  logs(of: LogsOf): Promise<string>;
  /** The body that an HTTP address gives to a client among the Pods; rejects when there is no good answer within 5 s. */
  fetch(url: string): Promise<string>;
  /** Makes sure that so many claims of this storage class will be bound. Nothing to do where volumes are made on demand. */
  offerVolumes(storageClass: string, count: number): Promise<void>;
  /** Frees everything; called once, after the last case. */
  close(): Promise<void>;
}
