import { createHmac, randomBytes } from 'node:crypto';
import { managedBy, managedByLabel } from '../../api/labels.ts';
import { CodedError } from '../../base/coded-error.ts';
import type { Cluster, StoredObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { findSecret, secretBytes, secretType } from './secret-access.ts';

/** The Secret that holds the key. */
export const digestKeyName = 'afloat-digest-key';

const keyBytes = 32;

/** The digest of a content that tells nothing of it to who does not have the key: `hmac-sha256:` and 64 hexadecimal digits. */
export type KeyedDigest = (content: string | Uint8Array) => string;

/**
 * The keyed digest of a namespace. Its key is made once, at random, and never changed: whoever is first makes it. Throws
 * `StoredContentDamaged` where the Secret is there and holds no key.
 */
export async function keyedDigest(cluster: Cluster, namespace: string): Promise<KeyedDigest> {
  const secret = (await findSecret(cluster, namespace, digestKeyName)) ?? (await makeKey(cluster, namespace));
  const key = secretBytes(secret, 'key');
  if (key?.length !== keyBytes)
    throw new CodedError('StoredContentDamaged', `Secret ${digestKeyName} holds no key`);
  return content => `hmac-sha256:${createHmac('sha256', key).update(content).digest('hex')}`;
}

async function makeKey(cluster: Cluster, namespace: string): Promise<StoredObject> {
  try {
    return await cluster.create({
      ...secretType,
      metadata: { name: digestKeyName, namespace, labels: { [managedByLabel]: managedBy } },
      immutable: true,
      data: { key: randomBytes(keyBytes).toString('base64') },
    });
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
    return cluster.get({ ...secretType, namespace, name: digestKeyName });
  }
}
