import type { StoredObject } from '../../../cluster/cluster.ts';
import { hasAddress, type Service } from '../env/service-links.ts';

/** What is read of an EndpointSlice. */
export interface EndpointSlice extends StoredObject {
  readonly endpoints?:
    | readonly {
        readonly addresses?: readonly string[];
        readonly hostname?: string;
        readonly conditions?: { readonly ready?: boolean };
      }[]
    | null;
}

/** The name of the Service is on every slice of it. */
export const serviceLabel = 'kubernetes.io/service-name';

const domain = 'svc.cluster.local';

/** The lines of a hosts file that give Services their names, as Pods of a namespace know them. */
export function serviceLines(
  namespace: string,
  services: readonly Service[],
  slicesOf: (service: Service) => readonly EndpointSlice[],
): readonly string[] {
  return services.flatMap(service => {
    const names = namesOf(service, namespace);
    if (hasAddress(service)) return [line(service.spec.clusterIP ?? '', names)];
    return service.spec.clusterIP === 'None' ? headlessLines(names, slicesOf(service)) : [];
  });
}

/** One without an address stands for the Pods behind it that are ready, each of them with a name of its own where it has one. */
function headlessLines(names: readonly string[], slices: readonly EndpointSlice[]): readonly string[] {
  const endpoints = slices.flatMap(slice => slice.endpoints ?? []);
  return endpoints
    .filter(({ conditions }) => conditions?.ready !== false)
    .flatMap(({ addresses = [], hostname }) => {
      const own = hostname ? names.map(name => `${hostname}.${name}`) : [];
      return addresses.map(address => line(address, [...own, ...names]));
    })
    .sort();
}

/** The short name only for Pods of the same namespace. */
function namesOf({ metadata }: Service, from: string): readonly string[] {
  const { name, namespace = '' } = metadata;
  const whole = [`${name}.${namespace}`, `${name}.${namespace}.svc`, `${name}.${namespace}.${domain}`];
  return namespace === from ? [name, ...whole] : whole;
}

function line(address: string, names: readonly string[]): string {
  return `${address}\t${names.join('\t')}`;
}
