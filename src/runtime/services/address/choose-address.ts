import { digestBytes } from '../../../base/digest.ts';
import { addressNumber, addressText } from '../../isolation/address-range.ts';

/** Addresses that Services may have. */
export interface ServiceAddresses {
  readonly first: number;
  readonly count: number;
}

/**
 * A free address for a Service, or undefined when all are taken. Where to begin looking comes from its name: the same manifests
 * tend to get the same addresses. The first and the last of the range are left out: some take them for no address of one host.
 */
export function chooseAddress(
  { first, count }: ServiceAddresses,
  place: string,
  taken: ReadonlySet<string>,
): string | undefined {
  const usable = count - 2;
  const begin = Number.parseInt(digestBytes(place).slice(-8), 16) % usable;
  for (let step = 0; step < usable; step++) {
    const address = addressText(first + 1 + ((begin + step) % usable));
    if (!taken.has(address)) return address;
  }
  return undefined;
}

/** Whether an address is one that Services may have. */
export function isServiceAddress({ first, count }: ServiceAddresses, address: string): boolean {
  if (!/^\d+\.\d+\.\d+\.\d+$/.test(address)) return false;
  const number = addressNumber(address);
  return number > first && number < first + count - 1;
}
