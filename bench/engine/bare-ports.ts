import type { Cluster } from '../../src/cluster/cluster.ts';
import type { EnginePorts } from '../../src/controller/engine-world.ts';
import { openDrivers } from '../../src/driver/open-drivers.ts';
import type { PackageSource } from '../../src/package/source.ts';
import { openServiceTraffic } from '../../src/traffic/kubernetes-service/kubernetes-service-traffic.ts';

/** The ports of an engine whose work needs no node: the real drivers and the real router, and nobody who runs anything. */
export function barePorts(packages: PackageSource): EnginePorts {
  return {
    drivers: (cluster: Cluster) => openDrivers({ cluster, logs: { tail: async () => undefined } }),
    traffic: (cluster: Cluster) => openServiceTraffic({ cluster }),
    data: () => undefined,
    packages: () => packages,
    prepareImages: async () => [],
    warmUp: async () => true,
    answers: async () => undefined,
  };
}
