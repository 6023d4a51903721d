import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pod } from '../pod-shape.ts';

/**
 * The hosts file of a Pod as a kubelet writes it, and after that the names of Services, which a name server would know on a cluster.
 * What stands first wins: the Pod's own aliases do.
 */
export function hostsFile(pod: Pod, podIp: string, services: readonly string[]): string {
  const { hostAliases = [] } = pod.spec;
  const aliases = hostAliases.map(({ ip, hostnames = [] }) => `${ip}\t${hostnames.join('\t')}`);
  return [
    '# Kubernetes-managed hosts file.',
    '127.0.0.1\tlocalhost',
    '::1\tlocalhost ip6-localhost ip6-loopback',
    'fe00::0\tip6-localnet',
    'fe00::0\tip6-mcastprefix',
    'fe00::1\tip6-allnodes',
    'fe00::2\tip6-allrouters',
    ownLine(pod, podIp),
    ...(aliases.length > 0 ? ['', '# Entries added by HostAliases.', ...aliases] : []),
    ...(services.length > 0 ? ['', '# Services.', ...services] : []),
    '',
  ].join('\n');
}

/** Where it is in the folder of a Pod. */
export function hostsPath(podFolder: string): string {
  return join(podFolder, 'hosts');
}

/** The name a Pod calls itself. */
export function hostnameOf({ metadata, spec }: Pod): string {
  // The longest name a host may have.
  return (spec.hostname ?? metadata.name).slice(0, 63).replace(/[-.]+$/, '');
}

function ownLine(pod: Pod, podIp: string): string {
  const hostname = hostnameOf(pod);
  const { subdomain } = pod.spec;
  const whole = subdomain
    ? [`${hostname}.${subdomain}.${pod.metadata.namespace ?? ''}.svc.cluster.local`]
    : [];
  return [podIp, ...whole, hostname].join('\t');
}

/** Changes the file in place: a container may have it mounted, and would go on seeing the one that was there. */
export async function writeInPlace(path: string, text: string): Promise<void> {
  const before = await readFile(path, 'utf8').catch(() => undefined);
  if (before === text) return;
  const bytes = Buffer.from(text);
  const file = await open(path, before === undefined ? 'w' : 'r+', 0o644);
  try {
    await file.write(bytes, 0, bytes.length, 0);
    await file.truncate(bytes.length);
  } finally {
    await file.close();
  }
}
