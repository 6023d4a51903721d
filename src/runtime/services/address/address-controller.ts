import { CodedError } from '../../../base/coded-error.ts';
import { compareText } from '../../../base/json.ts';
import { partsOf, placeOf } from '../../../reconcile/informer.ts';
import type { Controller, Reconciling } from '../../../reconcile/reconcile.ts';
import { type Service, serviceType } from '../service-objects.ts';
import { chooseAddress, isServiceAddress, type ServiceAddresses } from './choose-address.ts';

/**
 * Gives each Service its address, which it keeps as long as it is there. Which addresses are taken is what the objects say, so
 * nothing is lost with a manager. One pass at a time: two Services never get the same.
 */
export function addressController(reconciling: Reconciling, range: ServiceAddresses): Controller {
  const services = reconciling.informer(serviceType);
  return {
    name: 'service address',
    workers: 1,
    watches: [{ type: serviceType, keysOf: ({ metadata }) => [placeOf(metadata.namespace, metadata.name)] }],
    async pass(key) {
      const { namespace, name } = partsOf(key);
      const service = services.get(namespace, name) as Service | undefined;
      const spec =
        service && missingFields(service, () => newAddress(range, key, services.all() as Service[]));
      if (!service || !spec) return undefined;
      const { resourceVersion } = service.metadata;
      await reconciling.patch(
        { ...serviceType, namespace, name },
        { type: 'merge', value: { metadata: { resourceVersion }, spec } },
      );
      return undefined;
    },
  };
}

/** Whose each address is. Where several Services say the same, it is the oldest one's; addresses out of the range are nobody's. */
export function addressHolders(
  range: ServiceAddresses,
  services: readonly Service[],
): ReadonlyMap<string, Service> {
  const holders = new Map<string, Service>();
  for (const service of services) {
    const { clusterIP = '' } = service.spec;
    const holder = holders.get(clusterIP);
    if (!isServiceAddress(range, clusterIP)) continue;
    if (!holder || compareText(ageOf(service), ageOf(holder)) < 0) holders.set(clusterIP, service);
  }
  return holders;
}

function ageOf({ metadata }: Service): string {
  return `${metadata.creationTimestamp} ${metadata.uid}`;
}

/** What an API server fills in when it takes a Service; undefined when all is there. */
function missingFields({ spec, metadata }: Service, choose: () => string) {
  if (spec.type === 'ExternalName' || metadata.deletionTimestamp) return undefined;
  if (spec.clusterIP && spec.clusterIPs?.[0] === spec.clusterIP) return undefined;
  const clusterIP = spec.clusterIP || choose();
  return { clusterIP, clusterIPs: [clusterIP], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' };
}

function newAddress(range: ServiceAddresses, place: string, services: readonly Service[]): string {
  const taken = new Set(services.map(({ spec }) => spec.clusterIP ?? ''));
  const address = chooseAddress(range, place, taken);
  if (address === undefined)
    throw new CodedError('AddressesExhausted', `no address is left for Service ${place}`);
  return address;
}
