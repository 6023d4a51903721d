import { besideOf, sliceLabel } from '../api/labels.ts';
import { isObject } from '../base/json.ts';
import type { ClusterObject, StoredObject } from '../cluster/cluster.ts';
import { ClusterError } from '../cluster/cluster-error.ts';

export const serviceType = { apiVersion: 'v1', kind: 'Service' };
export const podType = { apiVersion: 'v1', kind: 'Pod' };
export const endpointSliceType = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' };

/** The label of an EndpointSlice that names its Service. */
export const serviceNameLabel = 'kubernetes.io/service-name';

/** What is read of a Service. */
export interface RouteService extends StoredObject {
  readonly spec: {
    readonly clusterIP?: string;
    readonly selector?: Readonly<Record<string, string>>;
    readonly ports?: readonly RoutePort[];
  };
}

export interface RoutePort {
  readonly name?: string;
  readonly port: number;
  readonly protocol?: string;
  readonly appProtocol?: string;
  readonly targetPort?: number | string;
}

/** What is read of a Pod. */
export interface RoutePod extends StoredObject {
  readonly spec?: {
    readonly containers?: readonly {
      readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
    }[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** What is read of an EndpointSlice. */
export interface RouteEndpoints extends StoredObject {
  readonly endpoints?:
    | readonly {
        readonly addresses: readonly string[];
        readonly conditions?: { readonly ready?: boolean; readonly terminating?: boolean };
        readonly targetRef?: { readonly kind?: string; readonly name?: string; readonly uid?: string };
      }[]
    | null;
}

/** The selector as the package wrote it: whichever slice it is narrowed to. */
export function packageSelector({ spec }: RouteService): Readonly<Record<string, string>> {
  const entries = Object.entries(spec.selector ?? {});
  return Object.fromEntries(entries.filter(([key]) => !isSliceKey(key)));
}

/** Whether it is us who put this into a selector. */
export function isSliceKey(key: string): boolean {
  return key === sliceLabel || besideOf(key) !== undefined;
}

/** The slice of a Pod; the empty text for one that belongs to none. */
export function sliceOf({ metadata }: StoredObject): string {
  return metadata.labels?.[sliceLabel] ?? '';
}

/** It has not ended, and is not about to. */
export function isStaying({ metadata, status }: RoutePod): boolean {
  const hasEnded = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  return metadata.deletionTimestamp === undefined && !hasEnded;
}

/** It could take requests if it were chosen. */
export function isReady(pod: RoutePod): boolean {
  const { podIP, conditions = [] } = pod.status ?? {};
  const saysSo = conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
  return isStaying(pod) && Boolean(podIP) && saysSo;
}

/** The labels that find the Pods of a route, as a selector of a list. */
export function podSelector(selector: Readonly<Record<string, string>>): string {
  return Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}

/** The spec of a Service that can be a route: without a selector there is nothing to choose from. */
export function routeSpec({ kind, metadata, ...rest }: ClusterObject): {
  readonly selector: Readonly<Record<string, string>>;
  readonly ports?: readonly RoutePort[];
} {
  const { spec } = rest as { readonly spec?: unknown };
  const selector = isObject(spec) ? spec['selector'] : undefined;
  const hasEntries = isObject(selector) && Object.keys(selector).some(key => key !== sliceLabel);
  if (kind !== 'Service' || !hasEntries || !isObject(spec)) {
    throw new ClusterError('Invalid', `${kind} ${metadata.name ?? ''} cannot be a route: it selects no Pods`);
  }
  return { ...spec, selector: selector as Readonly<Record<string, string>> };
}
