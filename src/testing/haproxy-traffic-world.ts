import { HaproxyRouter } from '../traffic/haproxy/haproxy-router.ts';
import { MasterCli } from '../traffic/haproxy/master-cli.ts';
import type { TrafficWorld } from '../traffic/traffic.contract.ts';
import { WrittenTraffic } from '../traffic/written-traffic.ts';
import { type HaproxyProgram, startHaproxy } from './haproxy-program.ts';
import { type EmbeddedSlices, sliceRoutes, startSlices } from './traffic-world.ts';

/** A real HAProxy before Pods of the embedded runtime, as a world for the suite of routers. */
export async function haproxyTrafficWorld(): Promise<
  TrafficWorld & Pick<EmbeddedSlices, 'cluster' | 'imageThatFails'> & { readonly haproxy: HaproxyProgram }
> {
  const slices = await startSlices();
  const haproxy = await startHaproxy(slices.folder);
  const { place } = haproxy;
  return {
    haproxy,
    cluster: slices.cluster,
    imageThatFails: slices.imageThatFails,
    traffic: new WrittenTraffic(new HaproxyRouter(place), slices),
    counts: true,
    ...sliceRoutes(),
    address: async (_, port) => ({ host: place.address, port }),
    async makeForeign({ namespace, service }) {
      await haproxy.addByHand(
        `backend ${namespace}:${service}:8000\n  mode http\n  timeout connect 5s\n  timeout server 5s\n`,
      );
      await new MasterCli(place.socket).reload();
    },
    async close() {
      await haproxy.kill();
      await slices.close();
    },
  };
}
