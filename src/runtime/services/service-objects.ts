import type { StoredObject } from '../../cluster/cluster.ts';
import type { Informer } from '../../reconcile/informer.ts';

export const serviceType = { apiVersion: 'v1', kind: 'Service' };
export const podType = { apiVersion: 'v1', kind: 'Pod' };
export const sliceType = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' };
export const endpointsType = { apiVersion: 'v1', kind: 'Endpoints' };

/** The label of a slice that names its Service. */
export const serviceNameLabel = 'kubernetes.io/service-name';

/** What is read of a Service. */
export interface Service extends StoredObject {
  readonly spec: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly clusterIPs?: readonly string[];
    readonly selector?: Readonly<Record<string, string>>;
    readonly ports?: readonly ServicePort[];
    readonly publishNotReadyAddresses?: boolean;
    readonly sessionAffinity?: string;
    readonly sessionAffinityConfig?: { readonly clientIP?: { readonly timeoutSeconds?: number } };
  };
}

export interface ServicePort {
  readonly name?: string;
  readonly port: number;
  readonly protocol?: string;
  readonly appProtocol?: string;
  readonly targetPort?: number | string;
  readonly nodePort?: number;
}

/** What is read of a Pod that serves. */
export interface ServingPod extends StoredObject {
  readonly spec: {
    readonly nodeName?: string;
    readonly hostname?: string;
    readonly subdomain?: string;
    readonly containers: readonly ServingContainer[];
    readonly initContainers?: readonly (ServingContainer & { readonly restartPolicy?: string })[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

interface ServingContainer {
  readonly ports?: readonly {
    readonly name?: string;
    readonly containerPort: number;
    readonly protocol?: string;
  }[];
}

/** What is read and written of an EndpointSlice. */
export interface EndpointSlice extends StoredObject {
  readonly addressType: string;
  readonly endpoints?: readonly SliceEndpoint[] | null;
  readonly ports?: readonly SlicePort[] | null;
}

export interface SliceEndpoint {
  readonly addresses: readonly string[];
  readonly conditions?: {
    readonly ready?: boolean;
    readonly serving?: boolean;
    readonly terminating?: boolean;
  };
  readonly hostname?: string;
  readonly nodeName?: string;
  readonly targetRef?: {
    readonly kind?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly uid?: string;
  };
}

export interface SlicePort {
  readonly name?: string;
  readonly port?: number;
  readonly protocol?: string;
  readonly appProtocol?: string;
}

/** Pods stand behind it, and no address before them. */
export function isHeadless({ spec }: Service): boolean {
  return spec.clusterIP === 'None';
}

/** The Services that select a Pod. */
export function servicesOf(pod: StoredObject, services: Informer): Service[] {
  return (services.all() as Service[]).filter(
    service => service.metadata.namespace === pod.metadata.namespace && selects(service, pod),
  );
}

/** Whether a Service selects a Pod; one without a selector selects nothing. */
export function selects({ spec }: Service, { metadata }: StoredObject): boolean {
  const wanted = Object.entries(spec.selector ?? {});
  return wanted.length > 0 && wanted.every(([key, value]) => metadata.labels?.[key] === value);
}
