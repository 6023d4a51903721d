import { randomBytes } from 'node:crypto';
import { managedBy, managedByLabel, serviceLabel } from '../../api/labels.ts';
import { digestBytes } from '../../base/digest.ts';
import type { Cluster, ClusterObject, StoredObject } from '../../cluster/cluster.ts';
import { ClusterError, isReason } from '../../cluster/cluster-error.ts';
import { findSecret, secretBytes, secretType } from './secret-access.ts';

/** As many as a key has: 43 characters, which with `=` behind them are a key in base64. */
const valueBytes = 32;

/** How often somebody else may be quicker before we give up until the next pass. */
const mostAttempts = 5;

/**
 * The values that a package wants made at random, by path: made when they are first asked for, kept in the Secret
 * `afloat-generated-<service>`, and never changed, whatever version asks for them and whoever asks at the same time.
 */
export async function generatedValues(
  cluster: Cluster,
  namespace: string,
  service: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map();
  const name = `afloat-generated-${service}`;
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const secret = await findSecret(cluster, namespace, name);
    const values = valuesIn(secret, paths);
    if (values) return values;
    await addMissing(cluster, secret ?? newSecret(namespace, service, name), paths);
  }
  throw new ClusterError('Conflict', `Secret ${name} is changed by somebody else all the time`);
}

function valuesIn(
  secret: StoredObject | undefined,
  paths: readonly string[],
): ReadonlyMap<string, string> | undefined {
  const values = new Map<string, string>();
  for (const path of paths) {
    const value = secret && secretBytes(secret, keyOf(path));
    if (!value) return undefined;
    values.set(path, value.toString('utf8'));
  }
  return values;
}

function newSecret(namespace: string, service: string, name: string): ClusterObject {
  const labels = { [managedByLabel]: managedBy, [serviceLabel]: service };
  return { ...secretType, metadata: { name, namespace, labels }, data: {} };
}

/** Written on the version that was read, so that a value somebody else made meanwhile is not replaced. */
async function addMissing(cluster: Cluster, secret: ClusterObject, paths: readonly string[]): Promise<void> {
  const known = (secret['data'] ?? {}) as Readonly<Record<string, string>>;
  const keys = paths.map(keyOf).filter(key => !Object.hasOwn(known, key));
  const made = keys.map(key => [key, Buffer.from(randomValue()).toString('base64')] as const);
  const filled = { ...secret, data: { ...known, ...Object.fromEntries(made) } };
  const isNew = secret.metadata.uid === undefined;
  try {
    await (isNew ? cluster.create(filled) : cluster.update(filled));
  } catch (error) {
    // Somebody else was quicker; what is there now is read again.
    const isExpected = isNew ? isReason(error, 'AlreadyExists') : isReason(error, 'Conflict', 'NotFound');
    if (!isExpected) throw error;
  }
}

function randomValue(): string {
  return randomBytes(valueBytes).toString('base64url');
}

/** A path is its own key where a Secret takes it; another one is kept under its digest. */
function keyOf(path: string): string {
  const isKey = /^[-_a-zA-Z0-9][-._a-zA-Z0-9]*$/.test(path) && path.length <= 253;
  return isKey ? path : digestBytes(path).replace(':', '-');
}
