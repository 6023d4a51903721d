import type { Cluster } from '../cluster/cluster.ts';
import type { PodLogs } from './driver.ts';

/** What drivers work with. */
export interface DriverParts {
  readonly cluster: Cluster;
  readonly logs: PodLogs;
}
