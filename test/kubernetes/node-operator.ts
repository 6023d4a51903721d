import { podLogsOf, sharedPorts } from '../../src/app/engine-ports.ts';
import type { Cluster } from '../../src/cluster/cluster.ts';
import type { KubernetesCluster } from '../../src/cluster/kubernetes/kubernetes-cluster.ts';
import { type Engine, startEngine } from '../../src/controller/engine.ts';
import { openDrivers } from '../../src/driver/open-drivers.ts';
import { openServiceTraffic } from '../../src/traffic/kubernetes-service/kubernetes-service-traffic.ts';
import type { ManagerOptions } from '../journeys/engine/journey-place.ts';

export interface NodeOperatorOptions extends ManagerOptions {
  readonly namespace: string;
  /** What everything goes through, where that is not the cluster itself. */
  readonly through?: Cluster;
}

/** Starts the controllers in this process, for one namespace of a real cluster, as the operator's own process does, with the rights of who connected. */
export function startNodeOperator(cluster: KubernetesCluster, options: NodeOperatorOptions): Promise<Engine> {
  const { namespace, signal, onTrouble, through = cluster } = options;
  const logs = podLogsOf((of, query) => cluster.podLogs(of, query));
  return startEngine({
    ...{ cluster: through, namespace, signal, onTrouble, followsSecrets: false },
    ports: {
      ...sharedPorts(through),
      drivers: as => openDrivers({ cluster: as, logs }),
      traffic: as => openServiceTraffic({ cluster: as }),
      prepareImages: async () => [], // the nodes have them, or say that they have not
    },
  });
}
