import { join } from 'node:path';
import { type Engine, startEngine } from '../controller/engine.ts';
import { openDrivers } from '../driver/open-drivers.ts';
import { openServiceTraffic } from '../traffic/kubernetes-service/kubernetes-service-traffic.ts';
import type { EmbeddedWorld } from './embedded-world.ts';
import { podLogsOf, sharedPorts } from './engine-ports.ts';
import { imagePreparer } from './prepare-images.ts';
import { keepRoutes, openRouters, routedTraffic } from './routed-traffic.ts';
import { thisMachine } from './this-machine.ts';

/** Starts the controllers on a world of one machine. */
export async function startEmbeddedOperator(
  { cluster, runtime }: Pick<EmbeddedWorld, 'cluster' | 'runtime'>,
  options: {
    readonly signal: AbortSignal;
    readonly onTrouble: (doing: string, error: unknown, waitSeconds?: number) => void;
    /** Where packages are unpacked. */
    readonly stateFolder: string;
    /** A folder that packages may lie in too. */
    readonly packageRoot?: string;
    /** The file that says where routers are. */
    readonly routers?: string;
  },
): Promise<Engine> {
  const logs = podLogsOf((of, query) => runtime.podLogs(of, query));
  const meter = {
    counts: (namespace: string, service: string) => runtime.sliceCounts(namespace, service),
    podIsOut: (podUid: string) => runtime.isOut(podUid),
  };
  const shared = sharedPorts(cluster, options.packageRoot);
  const routers = await openRouters(options.routers, { cluster });
  keepRoutes(routers, options);
  return startEngine({
    cluster,
    signal: options.signal,
    onTrouble: options.onTrouble,
    ports: {
      ...shared,
      drivers: as => openDrivers({ cluster: as, logs }),
      traffic: as => routedTraffic(openServiceTraffic({ cluster: as, meter }), routers),
      prepareImages: imagePreparer(cluster, shared.packages, join(options.stateFolder, 'packages')),
      machine: await thisMachine(),
      routers: Object.keys(routers),
    },
  });
}
