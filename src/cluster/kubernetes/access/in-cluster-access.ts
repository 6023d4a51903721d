import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '../../../base/coded-error.ts';
import type { Clock } from '../../clock.ts';
import type { Access } from './access.ts';
import { fileCredentials } from './file-credentials.ts';

/** Where a kubelet puts what a pod needs to talk to its cluster. */
export const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * The cluster this program runs in, as the service account of its pod. Undefined when it does not run in one. The token is
 * read again as it is renewed.
 */
export async function inClusterAccess(
  environment: Readonly<Record<string, string | undefined>>,
  clock: Clock,
  folder: string = serviceAccountFolder,
): Promise<Access | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = environment;
  if (!host) return undefined;
  const token = join(folder, 'token');
  const authority = await readFile(join(folder, 'ca.crt'), 'utf8').catch(cause => {
    const words = `this is a pod, but ${join(folder, 'ca.crt')} cannot be read: has it a service account?`;
    throw new CodedError('CredentialsUnavailable', words, { cause });
  });
  const namespace = await readFile(join(folder, 'namespace'), 'utf8').catch(() => 'default');
  return {
    // An IPv6 address stands in brackets.
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    authority,
    credentials: fileCredentials({ texts: {}, files: { token } }, clock),
    namespace: namespace.trim() || 'default',
  };
}
