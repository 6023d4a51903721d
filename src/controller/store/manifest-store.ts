import {
  componentLabel,
  flowLabel,
  managedBy,
  managedByLabel,
  packageLabel,
  serviceLabel,
} from '../../api/labels.ts';
import { CodedError } from '../../base/coded-error.ts';
import { digestBytes, shortDigest } from '../../base/digest.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Bundle } from './bundle.ts';
import { compress, decompress } from './package-archive.ts';
import { keepChunks, readChunks } from './stored-chunks.ts';

/** The beginning of the names of all Secrets that hold manifests. */
export const manifestPrefix = 'afloat-manifests-';

/** More than any part renders to: a thousand objects of the largest size a cluster takes would not fit a plan. */
const mostBytes = 256 * 1024 ** 2;

/** Whose a bundle is. */
export interface BundleName {
  /** The Oslc. */
  readonly flow: string;
  /** Unique in the namespace, at most 230 characters, the same whenever the act is repeated. */
  readonly name: string;
}

/**
 * Keeps the rendered manifests of one part of one flow, and returns the names of the Secrets that hold them. What this flow kept before
 * under this name stands, also where `bundle` says something else by now; what a crash left half is replaced. A name that another
 * flow uses is a `ClusterError` AlreadyExists.
 */
export async function keepManifests(
  cluster: Cluster,
  namespace: string,
  { flow, name }: BundleName,
  bundle: Bundle,
): Promise<readonly string[]> {
  const set = {
    namespace,
    nameOf: (index: number) => `${manifestPrefix}${name}-${index}`,
    labels: {
      [managedByLabel]: managedBy,
      [flowLabel]: flowLabelValue(flow),
      [serviceLabel]: bundle.service,
      [componentLabel]: bundle.component,
      [packageLabel]: shortDigest(bundle.packageDigest),
    },
    ownedBy: [managedByLabel, flowLabel],
  };
  return keepChunks(cluster, set, await compress(Buffer.from(canonicalJson(bundle))));
}

/**
 * Every bundle of which Secrets are named, in the order of their first ones. All Secrets of a bundle must be named. Throws
 * `StoredContentDamaged` where one is gone or does not hold what was kept.
 */
export async function readManifests(
  cluster: Cluster,
  namespace: string,
  names: readonly string[],
): Promise<readonly Bundle[]> {
  const stored = await readChunks(cluster, namespace, names);
  if (!stored.ok) {
    const gone = stored.missing.map(name => `Secret ${name} is gone`);
    const bad = stored.damaged.map(
      name => `Secret ${name} is damaged, or a part whose other parts are not named`,
    );
    throw damagedManifests([...gone, ...bad].join('; '));
  }
  return Promise.all(stored.contents.map(readBundle));
}

async function readBundle(content: Uint8Array): Promise<Bundle> {
  const bytes = await decompress(content, mostBytes);
  if (!bytes) throw damagedManifests('what the Secrets hold cannot be read');
  return JSON.parse(bytes.toString('utf8')) as Bundle;
}

/** The name of a flow as the value of a label, which is shorter than a name may be. */
export function flowLabelValue(flow: string): string {
  if (flow.length <= 63) return flow;
  const digest = shortDigest(digestBytes(flow));
  return `${flow.slice(0, 50).replace(/[^A-Za-z0-9]+$/, '')}-${digest}`;
}

function damagedManifests(message: string): CodedError {
  return new CodedError('StoredContentDamaged', `rendered manifests: ${message}`);
}
