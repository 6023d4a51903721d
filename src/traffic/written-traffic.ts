import { isIP } from 'node:net';
import { systemClock } from '../cluster/clock.ts';
import type { Cluster, ClusterObject } from '../cluster/cluster.ts';
import { ClusterError } from '../cluster/cluster-error.ts';
import { portsOf, serversOf } from './pod-servers.ts';
import type { RouteFolder } from './route-folder.ts';
import {
  isSliceKey,
  isStaying,
  podSelector,
  podType,
  type RoutePod,
  routeSpec,
  sliceOf,
} from './route-objects.ts';
import type { Preview, Route, SliceReport, Traffic, TrafficReport, Weights } from './traffic.ts';
import { checkNames, isSliceName, type WrittenRoute } from './written-route.ts';

/** What a router tells of one slice of a route. */
export interface SliceMeasure {
  readonly counts?: NonNullable<SliceReport['counts']>;
  /** Without a share it gets nothing new, and nothing is in flight, by the preview neither. */
  readonly isOut: boolean;
  /** How many of its servers take requests. */
  readonly ready: number;
  /** Of its preview. */
  readonly preview: Pick<Preview, 'requests' | 'isServed'>;
}

/** Where a router listens. */
export interface RouterAddresses {
  /** Where clients find every route; `*` is everywhere. */
  readonly address: string;
  /** Where slices alone answer, each at the ports of its route. */
  readonly previewAddresses: readonly string[];
}

/** A program that routes by what stands in a folder. */
export interface WrittenRouter {
  /** Its name for people. */
  readonly name: string;
  readonly folder: RouteFolder;
  readonly addresses: RouterAddresses;
  /** Throws `Unreachable` where it is not there: nothing is written then. `Invalid` where it cannot do this. */
  check(route: WrittenRoute | undefined): Promise<void>;
  /** Whether it has something of this name that we did not write. Asked only where there is no file of ours. */
  hasForeign(route: Route): Promise<boolean>;
  /**
   * Writes a route and brings it into force; does what is missing where both are the same. Where it cannot, the file is as before, and it
   * throws. One that `isGoing` is gone afterwards, with its file.
   */
  apply(before: WrittenRoute | undefined, after: WrittenRoute): Promise<void>;
  /** What it tells of the slices of a route. */
  measure(route: WrittenRoute): Promise<(slice: string) => SliceMeasure>;
}

/** What traffic by such a router goes by. */
export interface WrittenTrafficOptions {
  /** Where Pods are looked for. As they are now: what was seen a moment ago would take out who has just come. */
  readonly cluster: Pick<Cluster, 'list'>;
  /** Asked before every write: a router does not know who leads. Always, unless told. */
  readonly mayAct?: () => boolean;
}

/** Traffic by a router that reads files. The Pods of a route are told to it at every look. */
export class WrittenTraffic implements Traffic {
  readonly #cluster: Pick<Cluster, 'list'>;
  readonly #router: WrittenRouter;
  readonly #mayAct: () => boolean;

  constructor(router: WrittenRouter, { cluster, mayAct = () => true }: WrittenTrafficOptions) {
    this.#cluster = cluster;
    this.#router = router;
    this.#mayAct = mayAct;
  }

  async observe(route: Route): Promise<TrafficReport> {
    return this.#alone(async () => {
      const found = await this.#bring(route, same => same);
      if (!found) return { exists: await this.#router.hasForeign(route), slices: {}, canWeigh: true };
      const { written, pods } = found;
      const measure = await this.#router.measure(written);
      const shares = Object.keys(written.weights).filter(slice => (written.weights[slice] ?? 0) > 0);
      const names = new Set([...shares, ...pods.filter(isStaying).map(sliceOf)]);
      const slices = [...names].sort().map(slice => {
        const { counts, isOut, ready } = measure(slice);
        const weight = written.weights[slice] ?? 0;
        const out = weight === 0 && isOut ? 'yes' : 'no';
        return [slice, { weight, ...(counts ? { counts } : {}), out, ready } satisfies SliceReport] as const;
      });
      return { exists: true, slices: Object.fromEntries(slices), canWeigh: true };
    });
  }

  async wouldServe(): Promise<boolean> {
    // What has no share has no weight, however it comes.
    return false;
  }

  async ensure(route: Route, object: ClusterObject): Promise<void> {
    const { selector, ports } = routeSpec(object);
    const { address } = this.#router.addresses;
    const wanted = {
      address,
      selector: Object.fromEntries(Object.entries(selector).filter(([key]) => !isSliceKey(key))),
      ports: portsOf(ports),
    };
    await this.#alone(async () => {
      const found = await this.#bring(route, now => ({ ...now, ...wanted }));
      if (found) return;
      if (await this.#router.hasForeign(route)) throw this.#notOurs(route);
      checkNames(route);
      const { namespace, service } = route;
      const fresh = { namespace, service, ...wanted, weights: {}, previews: {}, servers: [] };
      const pods = await this.#pods(fresh);
      await this.#put(undefined, { ...fresh, servers: serversOf(fresh.ports, pods, []) });
    });
  }

  async setWeights(route: Route, weights: Weights): Promise<void> {
    for (const [slice, weight] of Object.entries(weights)) {
      if (isSliceName(slice) && Number.isInteger(weight) && weight >= 0) continue;
      throw new ClusterError('Invalid', `${weight} is no share of slice ${JSON.stringify(slice)}`);
    }
    await this.#alone(async () => {
      if (await this.#bring(route, now => ({ ...now, weights: { ...weights } }))) return;
      throw new ClusterError(
        'NotFound',
        `${this.#router.name} has no route ${route.namespace}/${route.service}`,
      );
    });
  }

  async preview(route: Route, slice: string): Promise<Preview | undefined> {
    if (!isSliceName(slice)) throw new ClusterError('Invalid', `${JSON.stringify(slice)} is no slice`);
    return this.#alone(async () => {
      const others = await this.#router.folder.all();
      const found = await this.#bring(route, now => {
        if (now.previews[slice]) return now;
        const address = this.#freeAddress(now, others);
        const madeAt = Math.floor(systemClock.wall() / 1000) * 1000;
        return { ...now, previews: { ...now.previews, [slice]: { address, madeAt } } };
      });
      const made = found?.written.previews[slice];
      if (!found || !made) return undefined;
      const { preview } = (await this.#router.measure(found.written))(slice);
      const ports = found.written.ports.map(({ name, port }) => ({
        ...(name === undefined ? {} : { name }),
        port,
      }));
      return { ...made, ports, ...preview };
    });
  }

  async removePreview(route: Route, slice: string): Promise<void> {
    await this.#alone(() =>
      this.#bring(route, now => {
        const { [slice]: _, ...previews } = now.previews;
        return { ...now, previews };
      }),
    );
  }

  async remove(route: Route): Promise<void> {
    await this.#alone(async () => {
      const { route: now } = await this.#router.folder.read(route);
      if (now) return this.#put(now, { ...now, servers: [], previews: {}, isGoing: true });
      if (await this.#router.hasForeign(route)) throw this.#notOurs(route);
    });
  }

  /** Brings a route of ours to what `change` makes of it, with the Pods as they are now; undefined where there is none. */
  async #bring(
    route: Route,
    change: (now: WrittenRoute) => WrittenRoute,
  ): Promise<{ readonly written: WrittenRoute; readonly pods: readonly RoutePod[] } | undefined> {
    const { route: now } = await this.#router.folder.read(route);
    if (!now) return undefined;
    if (now.isGoing) {
      // Whoever took it away was cut off.
      await this.#put(now, now);
      return undefined;
    }
    const changed = change(now);
    const pods = await this.#pods(changed);
    const written = { ...changed, servers: serversOf(changed.ports, pods, now.servers) };
    await this.#put(now, written);
    return { written: (await this.#router.folder.read(route)).route ?? written, pods };
  }

  async #put(before: WrittenRoute | undefined, after: WrittenRoute): Promise<void> {
    await this.#router.check(after.isGoing ? undefined : after);
    if (!after.isGoing) this.#refuseTaken(after, await this.#router.folder.all());
    if (!this.#mayAct())
      throw new ClusterError(
        'ServiceUnavailable',
        'another manager has taken over; this one tells a router nothing',
      );
    await this.#router.apply(before, after);
  }

  /** Two routes cannot listen at one place; a router would not start with both. */
  #refuseTaken(route: WrittenRoute, all: readonly WrittenRoute[]): void {
    for (const other of all) {
      const isOther = other.namespace !== route.namespace || other.service !== route.service;
      const taken = isOther && other.address === route.address ? commonPort(route, other) : undefined;
      if (taken === undefined) continue;
      const message = `port ${taken} of ${route.address} is taken by route ${other.namespace}/${other.service}`;
      throw new ClusterError('Invalid', message);
    }
  }

  #freeAddress(route: WrittenRoute, all: readonly WrittenRoute[]): string {
    const { previewAddresses } = this.#router.addresses;
    const isSame = (one: WrittenRoute) => one.namespace === route.namespace && one.service === route.service;
    const taken = all
      .filter(one => isSame(one) || commonPort(one, route) !== undefined)
      .flatMap(({ previews }) => Object.values(previews).map(({ address }) => address));
    const free = previewAddresses.find(address => isIP(address) !== 0 && !taken.includes(address));
    if (free !== undefined) return free;
    const message = `${this.#router.name} has no address left at which one slice of ${route.service} alone could answer: give it more preview addresses (${previewAddresses.length} now)`;
    throw new ClusterError('Invalid', message);
  }

  async #pods({
    namespace,
    selector,
  }: Pick<WrittenRoute, 'namespace' | 'selector'>): Promise<readonly RoutePod[]> {
    const { items } = await this.#cluster.list(podType, { namespace, labelSelector: podSelector(selector) });
    return items as readonly RoutePod[];
  }

  #alone<T>(act: () => Promise<T>): Promise<T> {
    return this.#router.folder.alone(act);
  }

  #notOurs({ namespace, service }: Route): ClusterError {
    return new ClusterError(
      'Forbidden',
      `${this.#router.name} has a route ${namespace}/${service} that Afloat did not write`,
    );
  }
}

function commonPort(a: WrittenRoute, b: WrittenRoute): number | undefined {
  return a.ports.find(({ port }) => b.ports.some(other => other.port === port))?.port;
}
