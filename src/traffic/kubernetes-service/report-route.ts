import {
  isReady,
  isStaying,
  type RouteEndpoints,
  type RoutePod,
  type RouteService,
  sliceOf,
} from '../route-objects.ts';
import type { SliceMeter, SliceReport, TrafficReport } from '../traffic.ts';
import { previewName } from './preview-service.ts';
import { isCovered, readWeights } from './service-weights.ts';

/** What a route is judged by, all read for this one report. */
export interface RouteFacts {
  readonly service: RouteService;
  readonly endpoints: readonly RouteEndpoints[];
  /** Those that the package's selector matches, of whatever slice. */
  readonly pods: readonly RoutePod[];
  readonly meter: SliceMeter | undefined;
}

type Counted = ReturnType<SliceMeter['counts']> extends ReadonlyMap<string, infer T> ? T : never;

/** What one slice is made of. */
interface SliceFacts {
  readonly name: string;
  readonly weight: number;
  readonly pods: readonly RoutePod[];
  /** Uids of its Pods that are endpoints, and of those that are ready ones. */
  readonly endpoints: ReadonlySet<string>;
  readonly ready: ReadonlySet<string>;
  /** Whether the selector matches its Pods. */
  readonly covered: boolean;
  readonly counted: Counted | undefined;
  /** The same at the address of its preview. */
  readonly previewed: Counted | undefined;
}

/** A route as it is: every slice that has a share, Pods, or something in flight. */
export function reportRoute(facts: RouteFacts): TrafficReport {
  const { service, pods, meter } = facts;
  const { name, namespace = '' } = service.metadata;
  const counted = meter?.counts(namespace, name);
  const weights = readWeights(service, slicesOf(pods.filter(isStaying)));
  const atWork = [...(counted ?? [])].filter(([, { isOut, inFlight }]) => !isOut || inFlight > 0);
  const names = new Set([...Object.keys(weights), ...slicesOf(pods), ...atWork.map(([slice]) => slice)]);
  const known = endpointsOf(facts);
  const slices = [...names].sort().map(slice => {
    const own = pods.filter(pod => sliceOf(pod) === slice);
    const ofSlice = (uids: ReadonlySet<string>) =>
      new Set(own.map(({ metadata }) => metadata.uid).filter(uid => uids.has(uid)));
    const one: SliceFacts = {
      name: slice,
      weight: weights[slice] ?? 0,
      pods: own,
      endpoints: ofSlice(known.all),
      ready: ofSlice(known.ready),
      covered: isCovered(service, slice),
      counted: counted?.get(slice),
      previewed: meter?.counts(namespace, previewName({ service: name }, slice)).get(slice),
    };
    return [slice, reportSlice(one, meter, known.strangers)] as const;
  });
  return { exists: true, slices: Object.fromEntries(slices), canWeigh: meter !== undefined };
}

/** The slices of these Pods, each once. */
export function slicesOf(pods: readonly RoutePod[]): string[] {
  return [...new Set(pods.map(sliceOf))];
}

function reportSlice(slice: SliceFacts, meter: SliceMeter | undefined, strangers: number): SliceReport {
  const { weight, counted, covered, ready, pods } = slice;
  const { requests = 0, errors = 0, inFlight = 0 } = counted ?? {};
  return {
    weight,
    ...(meter ? { counts: { requests, errors, inFlight } } : {}),
    out: outOf(slice, meter, strangers),
    // Nobody lists those that are not selected; of those that are, only what the router was told of takes requests.
    ready: covered ? ready.size : pods.filter(isReady).length,
  };
}

function outOf(slice: SliceFacts, meter: SliceMeter | undefined, strangers: number): SliceReport['out'] {
  const { weight, endpoints, covered, counted, previewed, pods } = slice;
  if (weight > 0) return 'no';
  // The selector no longer matches it, and the endpoints are those of before: new requests may still come.
  if (endpoints.size > 0 && !(meter && covered)) return 'no';
  if (!meter) return strangers > 0 ? 'no' : 'unknown';
  if (counted && !counted.isOut) return 'no';
  // A preview stays for as long as its slice does, and so its Pods are never out: there, what is in flight counts.
  if (previewed && !previewed.isOut) return previewed.inFlight === 0 ? 'yes' : 'no';
  // Another route may lead to the same Pods: who stops them loses its requests too.
  return pods.every(({ metadata }) => meter.podIsOut(metadata.uid)) ? 'yes' : 'no';
}

/** The Pods that are endpoints, by uid. Strangers are endpoints whose Pod was not found: it may be of any slice. */
function endpointsOf({ endpoints, pods }: RouteFacts): {
  readonly all: ReadonlySet<string>;
  readonly ready: ReadonlySet<string>;
  readonly strangers: number;
} {
  const all = new Set<string>();
  const ready = new Set<string>();
  for (const { conditions = {}, targetRef } of endpoints.flatMap(one => one.endpoints ?? [])) {
    if (targetRef?.kind !== 'Pod' || targetRef.uid === undefined) continue;
    all.add(targetRef.uid);
    if (conditions.ready !== false && conditions.terminating !== true) ready.add(targetRef.uid);
  }
  const uids = new Set(pods.map(({ metadata }) => metadata.uid));
  return { all, ready, strangers: [...all].filter(uid => !uids.has(uid)).length };
}
