import { readFile } from 'node:fs/promises';
import { CodedError } from '../../../base/coded-error.ts';
import { didYouMean } from '../../../base/did-you-mean.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { Clock } from '../../clock.ts';
import type { Access, CredentialSource, Credentials } from './access.ts';
import { execCredentials, readExecPlugin } from './exec-credentials.ts';
import { fileCredentials } from './file-credentials.ts';
import type { KubeconfigField } from './kubeconfig-field.ts';
import type { Kubeconfig } from './kubeconfig-files.ts';

/** What a context of a kubeconfig says: the current one, or the one of that name. Throws `KubeconfigInvalid`. */
export async function kubeconfigAccess(
  config: Kubeconfig,
  wanted: string | undefined,
  clock: Clock,
): Promise<Access> {
  const name = wanted ?? config.currentContext;
  if (name === undefined) throw missing(config, 'has no current-context, and no context was named');
  const context = entry(config, 'contexts', name);
  const cluster = entry(config, 'clusters', required(context, 'cluster'));
  const userName = context.text('user');
  const user = userName === undefined ? undefined : entry(config, 'users', userName);
  const account = user && accountOf(user);
  return {
    ...(await serverOf(cluster)),
    credentials: user ? credentialsOf(user, cluster, clock) : noCredentials,
    ...(account ? { account } : {}),
    namespace: context.text('namespace') ?? 'default',
  };
}

const noCredentials: CredentialSource = { current: () => Promise.resolve({}), forget: () => {} };

async function serverOf(cluster: KubeconfigField) {
  const server = required(cluster, 'server').replace(/\/+$/, '');
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw cluster.wrong('server', 'must be an address such as https://host:6443');
  if (cluster.has('proxy-url'))
    throw cluster.wrong('proxy-url', 'is not supported: reach the server directly');
  const authority =
    cluster.data('certificate-authority') ?? (await readPem(cluster, 'certificate-authority'));
  const skipVerify = cluster.flag('insecure-skip-tls-verify');
  if (skipVerify && authority !== undefined)
    throw cluster.wrong(
      'insecure-skip-tls-verify',
      'is said beside a certificate authority: say one of the two',
    );
  const serverName = cluster.text('tls-server-name');
  return {
    server,
    skipVerify,
    ...(authority === undefined ? {} : { authority }),
    ...(serverName === undefined ? {} : { serverName }),
  };
}

function credentialsOf(user: KubeconfigField, cluster: KubeconfigField, clock: Clock): CredentialSource {
  for (const old of ['auth-provider', 'username', 'password']) {
    if (user.has(old)) throw user.wrong(old, 'is not supported: use exec, a token or a certificate');
  }
  const exec = user.object('exec');
  if (exec) return execCredentials(readExecPlugin(exec, clusterInfo(cluster)), clock);

  const token = user.text('token');
  const certificate = user.data('client-certificate');
  const key = user.data('client-key');
  const texts: Credentials = {
    ...(token === undefined ? {} : { token }),
    ...(certificate === undefined ? {} : { certificate }),
    ...(key === undefined ? {} : { key }),
  };
  const tokenFile = user.pathOf('tokenFile');
  const certificateFile = certificate === undefined ? user.pathOf('client-certificate') : undefined;
  const keyFile = key === undefined ? user.pathOf('client-key') : undefined;
  const files = {
    ...(tokenFile === undefined ? {} : { token: tokenFile }),
    ...(certificateFile === undefined ? {} : { certificate: certificateFile }),
    ...(keyFile === undefined ? {} : { key: keyFile }),
  };
  const all = { ...texts, ...files };
  if (all.certificate !== undefined && all.key === undefined) throw user.wrong('client-key', 'is missing');
  if (all.key !== undefined && all.certificate === undefined)
    throw user.wrong('client-certificate', 'is missing');
  return fileCredentials({ texts, files }, clock);
}

/** In whose name the user acts, by its own word. */
function accountOf(user: KubeconfigField): Access['account'] {
  const as = user.text('as');
  const groups = user.texts('as-groups');
  return as === undefined ? undefined : { user: as, ...(groups.length === 0 ? {} : { groups }) };
}

/** What a credential program may be told. */
function clusterInfo(cluster: KubeconfigField): JsonObject {
  const keys = [
    'server',
    'tls-server-name',
    'insecure-skip-tls-verify',
    'certificate-authority-data',
    'disable-compression',
  ];
  const known = keys.filter(key => cluster.has(key)).map(key => [key, cluster.raw(key)]);
  const own = cluster
    .items('extensions')
    .find(item => item.text('name') === 'client.authentication.k8s.io/exec');
  return Object.fromEntries([...known, ...(own ? [['config', own.raw('extension')]] : [])]);
}

async function readPem(from: KubeconfigField, key: string): Promise<string | undefined> {
  const path = from.pathOf(key);
  if (path === undefined) return undefined;
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw from.wrong(
      key,
      `names a file that cannot be read: ${path} (${(error as NodeJS.ErrnoException).code})`,
    );
  }
}

function entry(config: Kubeconfig, list: 'contexts' | 'clusters' | 'users', name: string): KubeconfigField {
  const found = config[list].get(name);
  if (found) return found;
  const near = didYouMean(name, config[list].keys());
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  throw missing(config, `has no "${name}" in ${list}${hint}`);
}

function required(from: KubeconfigField, key: string): string {
  const value = from.text(key);
  if (value === undefined) throw from.wrong(key, 'is missing');
  return value;
}

function missing({ files }: Kubeconfig, what: string): CodedError {
  return new CodedError('KubeconfigInvalid', `${files.join(', ')} ${what}`, {
    details: { files: [...files] },
  });
}
