import type { Machine } from '../plan/check-machine.ts';
import { whyNoNamespaces } from '../runtime/isolation/namespaces/probe-namespaces.ts';

/** What the embedded runtime can give to containers on the machine this runs on. */
export async function thisMachine(): Promise<Machine> {
  const missing = await whyNoNamespaces();
  const who = { user: process.getuid?.() ?? 0, group: process.getgid?.() ?? 0 };
  return missing === undefined
    ? { isolation: 'namespaces', because: 'Pods have namespaces of their own', ...who }
    : { isolation: 'loopback', because: missing, ...who };
}
