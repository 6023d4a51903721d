import { embeddedWorld } from '../runtime/embedded-world.contract.ts';

/** The embedded store and runtime, without namespaces so that no root is needed; programs are those of the machine. */
export function embeddedDriverWorld() {
  return embeddedWorld({ isolation: 'loopback', busyboxRoot: '/' });
}
