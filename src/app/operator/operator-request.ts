import type { ObjectType } from '../../cluster/cluster.ts';
import type { LogFormat, LogLevel } from './operator-log.ts';

/** How the operator runs. */
export interface OperatorRequest {
  /** A cluster by its kubeconfig; without it, what kubectl would use, and the cluster of this pod inside one. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Looks after the records of this namespace only. */
  readonly namespace?: string;
  /** `host:port` or `:port` for probes and metrics. */
  readonly metricsAddress: string;
  /** The folder that paths of existing manifests are below. */
  readonly packageRoot?: string;
  /** The file that says where routers are. */
  readonly routers?: string;
  /** Kinds that packages bring and whose changes are to be heard of at once. */
  readonly follows?: readonly ObjectType[];
  /** Without it this process does not wait for the lead, and ends where somebody else has it. */
  readonly leaderElect: boolean;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
}
