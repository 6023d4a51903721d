import { networkInterfaces } from 'node:os';

/** An address by which this machine is reached; that of its loopback where it has no other. */
export function machineAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}
