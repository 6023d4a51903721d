import { join } from 'node:path';
import { type Engine, startEngine } from '../controller/engine.ts';
import { ClusterPackages } from '../controller/store/cluster-packages.ts';
import { tasksData } from '../data/tasks/tasks-data.ts';
import type { PodLogs } from '../driver/driver.ts';
import { openDrivers } from '../driver/open-drivers.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { openServiceTraffic } from '../traffic/kubernetes-service/kubernetes-service-traffic.ts';
import type { EmbeddedWorld } from './embedded-world.ts';
import { imagePreparer } from './prepare-images.ts';
import { thisMachine } from './this-machine.ts';

/** A slice is asked for no longer than this before it takes traffic. */
const warmUpMilliseconds = 5000;

/** Starts the controllers on a world of one machine. */
export async function startEmbeddedOperator(
  { cluster, runtime }: Pick<EmbeddedWorld, 'cluster' | 'runtime'>,
  options: {
    readonly signal: AbortSignal;
    readonly onTrouble: (doing: string, error: unknown, waitSeconds?: number) => void;
    /** Where packages are unpacked. */
    readonly stateFolder: string;
  },
): Promise<Engine> {
  const logs = podLogsOf(runtime);
  const meter = {
    counts: (namespace: string, service: string) => runtime.sliceCounts(namespace, service),
    podIsOut: (podUid: string) => runtime.isOut(podUid),
  };
  const known = new Map<string, ClusterPackages>();
  const packages = (namespace: string): ClusterPackages => {
    const found = known.get(namespace) ?? new ClusterPackages(cluster, namespace);
    known.set(namespace, found);
    return found;
  };
  return startEngine({
    cluster,
    signal: options.signal,
    onTrouble: options.onTrouble,
    ports: {
      drivers: as => openDrivers({ cluster: as, logs }),
      traffic: as => openServiceTraffic({ cluster: as, meter }),
      data: driver => (driver === 'tasks' ? tasksData : undefined),
      packages,
      prepareImages: imagePreparer(cluster, packages, join(options.stateFolder, 'packages')),
      warmUp,
      machine: await thisMachine(),
    },
  });
}

/** The end of what a container wrote, from the runtime that has it. */
function podLogsOf(runtime: Runtime): PodLogs {
  return {
    async tail({ namespace, pod, container }, lines) {
      const pieces: Buffer[] = [];
      for await (const piece of runtime.podLogs({ namespace, pod, container }, { tailLines: lines }))
        pieces.push(piece);
      return Buffer.concat(pieces).toString('utf8');
    },
  };
}

/** An answer of whatever kind warms it up; none, or one that says the server is not well, does not. */
async function warmUp(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(warmUpMilliseconds) });
    await answer.arrayBuffer();
    return answer.status < 500;
  } catch {
    // Nobody answers yet: that is what is asked here.
    return false;
  }
}
