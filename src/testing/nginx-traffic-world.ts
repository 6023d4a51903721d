import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NginxRouter } from '../traffic/nginx/nginx-router.ts';
import type { TrafficWorld } from '../traffic/traffic.contract.ts';
import { WrittenTraffic } from '../traffic/written-traffic.ts';
import { type RunningNginx, startNginx } from './nginx-program.ts';
import { sliceRoutes, startSlices } from './traffic-world.ts';

/** A real nginx before Pods of the embedded runtime, as a world for the suite of routers. */
export async function nginxTrafficWorld(): Promise<TrafficWorld & { readonly nginx: RunningNginx }> {
  const slices = await startSlices();
  const nginx = await startNginx(slices.folder);
  const { place } = nginx;
  return {
    nginx,
    traffic: new WrittenTraffic(new NginxRouter(place), slices),
    counts: false,
    weighs: true,
    ...sliceRoutes(),
    address: async (_, port) => ({ host: place.address, port }),
    async makeForeign({ namespace, service }) {
      await mkdir(place.folder, { recursive: true });
      await writeFile(join(place.folder, `${namespace}.${service}.conf`), '# mine\n');
    },
    async close() {
      await nginx.kill();
      await slices.close();
    },
  };
}
