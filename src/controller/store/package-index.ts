import { managedBy, managedByLabel } from '../../api/labels.ts';
import type { Source } from '../../api/openstack-deployment.ts';
import { type Digest, digestBytes } from '../../base/digest.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { Cluster, StoredObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';

const configMapType = { apiVersion: 'v1', kind: 'ConfigMap' } as const;

/** The ConfigMap that says which package of which source is kept under which digest. */
export const indexName = 'afloat-packages';

/** One package that was pushed. */
export interface IndexEntry extends Source {
  readonly digest: Digest;
  /** How many Secrets hold it. */
  readonly chunks: number;
  /** When it was last pushed: until a record names it, nothing else says that it is wanted. RFC 3339. */
  readonly pushedAt: string;
}

/** What was pushed, by `sourceKey`. */
export type PackageIndex = ReadonlyMap<string, IndexEntry>;

/** The key of a source whose location has no placeholders left. */
export function sourceKey({ type, location, commit, path }: Source): string {
  const pinned = commit === undefined ? '' : ` ${commit} ${path ?? ''}`;
  return digestBytes(`${type}:${location}${pinned}`)
    .replace(/^sha256:/, '')
    .slice(0, 40);
}

/** The index of a namespace; empty where nothing was pushed. An entry that cannot be read is left out. */
export async function readIndex(cluster: Cluster, namespace: string): Promise<PackageIndex> {
  try {
    return indexOf(await cluster.get({ ...configMapType, namespace, name: indexName }));
  } catch (error) {
    if (isReason(error, 'NotFound')) return new Map();
    throw error;
  }
}

/** Adds entries, and takes those away that are undefined. What others wrote meanwhile stays. */
export async function writeIndex(
  cluster: Cluster,
  namespace: string,
  entries: ReadonlyMap<string, IndexEntry | undefined>,
): Promise<void> {
  if (entries.size === 0) return;
  const data: JsonObject = Object.fromEntries(
    [...entries].map(([key, entry]) => [key, entry ? JSON.stringify(entry) : null]),
  );
  const ref = { ...configMapType, namespace, name: indexName };
  const patch = () => cluster.patch(ref, { type: 'merge', value: { data } });
  try {
    await patch();
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
    await cluster
      .create({
        ...configMapType,
        metadata: { name: indexName, namespace, labels: { [managedByLabel]: managedBy } },
        data: Object.fromEntries(Object.entries(data).filter(([, text]) => text !== null)),
      })
      .catch((refusal: unknown) => {
        if (isReason(refusal, 'AlreadyExists')) return patch();
        throw refusal;
      });
  }
}

function indexOf({ data }: StoredObject): PackageIndex {
  const entries = Object.entries(isObject(data) ? data : {}).flatMap(([key, text]) => {
    const entry = entryOf(String(text));
    return entry ? [[key, entry] as const] : [];
  });
  return new Map(entries);
}

function entryOf(text: string): IndexEntry | undefined {
  try {
    const entry: unknown = JSON.parse(text);
    if (!isObject(entry) || typeof entry['digest'] !== 'string' || typeof entry['location'] !== 'string')
      return undefined;
    return entry as unknown as IndexEntry;
  } catch {
    return undefined;
  }
}
