import { randomInt } from 'node:crypto';

/** So many addresses of loopback that no other test has, nor Pods of the embedded runtime. */
export function ownAddresses(count: number): readonly string[] {
  const net = `127.${randomInt(201, 250)}.${randomInt(0, 256)}`;
  return Array.from({ length: count }, (_, index) => `${net}.${index + 1}`);
}
