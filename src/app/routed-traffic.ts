import { type RoutersFile, routersFile } from '../api/routers-file.ts';
import { applyDefaults } from '../api/schema/defaults.ts';
import { validate } from '../api/schema/validate.ts';
import { CodedError } from '../base/coded-error.ts';
import { type Clock, systemClock } from '../cluster/clock.ts';
import { ClusterError } from '../cluster/cluster-error.ts';
import { load } from '../record/load.ts';
import { HaproxyRouter } from '../traffic/haproxy/haproxy-router.ts';
import { NginxRouter } from '../traffic/nginx/nginx-router.ts';
import type { Route, Traffic } from '../traffic/traffic.ts';
import {
  type WrittenRouter,
  WrittenTraffic,
  type WrittenTrafficOptions,
} from '../traffic/written-traffic.ts';

/** A router that a file names, opened once for the whole process, and traffic by it. */
export interface OpenRouter {
  readonly router: WrittenRouter;
  readonly traffic: Traffic;
}

/** Opened routers by the word of a package. */
export type Routers = Readonly<Partial<Record<string, OpenRouter>>>;

/** Opens the routers of a file; none without a file. Throws `UsageInvalid` with all that is wrong with it. */
export async function openRouters(
  file: string | undefined,
  /** Whose Pods are told to them. */
  options: WrittenTrafficOptions,
): Promise<Routers> {
  if (file === undefined) return {};
  const { haproxy, nginx } = await readRouters(file);
  const opened = (router: WrittenRouter) => ({ router, traffic: new WrittenTraffic(router, options) });
  return {
    ...(haproxy ? { haproxy: opened(new HaproxyRouter(haproxy)) } : {}),
    ...(nginx ? { nginx: opened(new NginxRouter(nginx)) } : {}),
  };
}

/** Traffic that goes to the router that each route names, and to Services where it names none. */
export function routedTraffic(services: Traffic, routers: Routers): Traffic {
  const of = ({ router = 'service', service }: Route): Traffic => {
    if (router === 'service') return services;
    const found = routers[router];
    if (found) return found.traffic;
    const message = `${service} is routed by ${router}, and nobody said where that is: start Afloat with --routers`;
    throw new ClusterError('Invalid', message);
  };
  return {
    observe: async route => of(route).observe(route),
    wouldServe: async (route, slice) => of(route).wouldServe(route, slice),
    ensure: async (route, object) => of(route).ensure(route, object),
    setWeights: async (route, weights) => of(route).setWeights(route, weights),
    preview: async (route, slice) => of(route).preview(route, slice),
    removePreview: async (route, slice) => of(route).removePreview(route, slice),
    remove: async route => of(route).remove(route),
  };
}

/** How often routers are told of the Pods of their routes. */
const everyMilliseconds = 2000;

/** Tells routers of Pods that come and go, also while nobody changes anything, until the signal. */
export function keepRoutes(
  routers: Routers,
  {
    signal,
    clock = systemClock,
    onTrouble,
  }: {
    readonly signal: AbortSignal;
    readonly clock?: Clock;
    readonly onTrouble: (doing: string, error: unknown, waitSeconds?: number) => void;
  },
): void {
  for (const one of Object.values(routers)) if (one) void keep(one);

  async function keep({ router, traffic }: OpenRouter): Promise<void> {
    const told = new Map<string, string>();
    /** Told once for as long as it is the same. */
    const attempt = async (what: string, act: () => Promise<void>) => {
      try {
        await act();
        told.delete(what);
      } catch (error) {
        const message = String(error);
        if (signal.aborted || told.get(what) === message) return;
        told.set(what, message);
        onTrouble(what, error, everyMilliseconds / 1000);
      }
    };
    while (!signal.aborted) {
      await attempt(`keeping the routes of ${router.name}`, async () => {
        for (const { namespace, service } of await router.folder.all())
          await attempt(`keeping route ${namespace}/${service} of ${router.name}`, async () => {
            if (!signal.aborted) await traffic.observe({ namespace, service });
          });
      });
      await clock.sleep(everyMilliseconds, signal);
    }
  }
}

/** Reads the file of routers. Throws `UsageInvalid` with all that is wrong with it. */
export async function readRouters(file: string): Promise<RoutersFile> {
  const { manifests, findings } = await load([file], '');
  const [manifest, second] = manifests;
  const filled = manifest && applyDefaults(routersFile.json, manifest.object);
  const wrong = [
    ...findings.map(({ message }) => message),
    ...(manifest && !second ? [] : ['it must hold one document']),
    ...(filled ? validate(routersFile.json, filled).map(one => `${one.path.join('.')}: ${one.message}`) : []),
  ];
  if (wrong.length > 0) throw new CodedError('UsageInvalid', `--routers ${file}: ${wrong.join('; ')}`);
  // What passed the schema and got its defaults has the type that is taken from the schema.
  return filled as unknown as RoutersFile;
}
