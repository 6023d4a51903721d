/** A route as it stands in a file that a router reads: all that is known of it, so that the rest of the file follows from it. */
import { isIP } from 'node:net';
import { isObject } from '../base/json.ts';
import { ClusterError } from '../cluster/cluster-error.ts';
import type { Route, Weights } from './traffic.ts';

/** One port clients use. */
export interface WrittenPort {
  readonly name?: string;
  readonly port: number;
  /** The port of the Pods, or its name there. */
  readonly targetPort: number | string;
  readonly mode: 'http' | 'tcp';
}

/** One Pod at one port. Its name is the same at all ports. */
export interface WrittenServer {
  readonly slice: string;
  /** `<slice>-<number>`. */
  readonly name: string;
  /** The port clients use. */
  readonly port: number;
  readonly address: string;
  readonly targetPort: number;
}

/** What a file says of its route. */
export interface WrittenRoute {
  readonly namespace: string;
  readonly service: string;
  /** Where clients find it. */
  readonly address: string;
  readonly selector: Readonly<Record<string, string>>;
  readonly ports: readonly WrittenPort[];
  readonly weights: Weights;
  /** By slice: where it alone answers, and since when. */
  readonly previews: Readonly<Record<string, { readonly address: string; readonly madeAt: number }>>;
  readonly servers: readonly WrittenServer[];
  /** It is being taken away: the router shall have nothing of it. */
  readonly isGoing?: true;
  /** The file was changed, and the router may not have read it since. */
  readonly isUnread?: true;
  /** Processes of the router that may know it as it was before: `<pid>:<start>`. */
  readonly before?: readonly string[];
}

const mark = '# afloat-route ';

/** The first line of the file of a route. */
export function headerOf(route: WrittenRoute): string {
  return `${mark}${JSON.stringify(route)}\n`;
}

/** The route that a file is about; undefined where somebody else wrote it. Throws `Invalid` where its first line was changed. */
export function readHeader(text: string, file: string): WrittenRoute | undefined {
  if (!text.startsWith(mark)) return undefined;
  const [line = ''] = text.slice(mark.length).split('\n', 1);
  try {
    const value: unknown = JSON.parse(line);
    const lists = isObject(value) ? [value['ports'], value['servers']] : [];
    const maps = isObject(value) ? [value['weights'], value['previews'], value['selector']] : [];
    if (lists.length > 0 && lists.every(Array.isArray) && maps.every(isObject))
      return value as unknown as WrittenRoute;
  } catch {
    // Told below: it is no JSON at all.
  }
  throw new ClusterError('Invalid', `the first line of ${file} was changed by hand and cannot be read`);
}

/** A name that may stand in a file name and in the configuration of a router. Nobody else looked at it before. */
export function checkNames({ namespace, service }: Route): void {
  for (const name of [namespace, service]) {
    if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name))
      throw new ClusterError('Invalid', `${JSON.stringify(name)} cannot be part of the name of a route`);
  }
}

/** Whether a text may be a slice, as the value of a label may be. */
export function isSliceName(slice: string): boolean {
  return slice === '' || /^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/.test(slice);
}

/** An address and port as routers write it. */
export function placeOf(address: string, port: number): string {
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}

/** The largest weight of one server that routers take. */
const mostWeight = 256;

/**
 * The weights of servers at one port, by name: those of a slice share its share. As small as they can be, so that a router that takes
 * turns comes round soon.
 */
export function serverWeights({ servers, weights }: WrittenRoute, port: number): ReadonlyMap<string, number> {
  const here = servers.filter(one => one.port === port);
  const sizes = new Map<string, number>();
  for (const { slice } of here) sizes.set(slice, (sizes.get(slice) ?? 0) + 1);
  const whole = [...sizes.values()].reduce((all, size) => (all * size) / divisor(all, size), 1);
  const exact = here.map(({ name, slice }) => {
    return [name, ((weights[slice] ?? 0) * whole) / (sizes.get(slice) ?? 1)] as const;
  });
  const step = exact.reduce((all, [, weight]) => divisor(all, weight), 0) || 1;
  const highest = Math.max(0, ...exact.map(([, weight]) => weight / step));
  const scale = highest > mostWeight ? mostWeight / highest : 1;
  return new Map(
    exact.map(([name, weight]) => [
      name,
      weight === 0 ? 0 : Math.max(1, Math.round((weight / step) * scale)),
    ]),
  );
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}
