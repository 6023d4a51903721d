import { type Digest, digestBytes } from '../../base/digest.ts';
import type { Cluster, ClusterObject, StoredObject } from '../../cluster/cluster.ts';
import { ClusterError, isReason } from '../../cluster/cluster-error.ts';
import { findSecret, removeSecret, secretBytes, secretType } from './secret-access.ts';

/** The most bytes one Secret holds: with base64 and metadata far below the limit of an API server. */
export const chunkBytes = 512 * 1024;

/** More than anything that is kept can need; a Secret that says so is not of ours. */
const mostChunks = 1024;

/** Where the chunks of one content lie. */
export interface ChunkSet {
  readonly namespace: string;
  readonly nameOf: (index: number) => string;
  readonly labels: Readonly<Record<string, string>>;
  /** The labels by which a Secret of that name is known to be of this very set; another one is never touched. */
  readonly ownedBy: readonly string[];
}

/** What is left of a content that cannot be read: Secrets that are not there, and Secrets that do not hold what was written. */
export interface BrokenChunks {
  readonly ok: false;
  readonly missing: readonly string[];
  readonly damaged: readonly string[];
}

export type ReadChunks =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly names: readonly string[] }
  | BrokenChunks;

interface Chunk {
  readonly index: number;
  readonly count: number;
  /** The digest of all chunks together: two halves of two contents never pass for one. */
  readonly whole: Digest;
  readonly bytes: Uint8Array;
}

/**
 * Keeps bytes as immutable Secrets and returns their names, in order. What is there already and complete is left and counts,
 * whatever it holds: a repeated act finds its own. What a crash left half is replaced. A Secret of such a name that is not of this
 * set is a `ClusterError` AlreadyExists.
 */
export async function keepChunks(
  cluster: Cluster,
  set: ChunkSet,
  bytes: Uint8Array,
): Promise<readonly string[]> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const stored = await readChunkSet(cluster, set);
    if (stored.ok) return stored.names;
    const chunks = cut(bytes);
    for (const chunk of chunks) await keepChunk(cluster, set, chunk);
    // One Secret is whole by itself; between several another manager may have written its own.
    if (chunks.length === 1) return [set.nameOf(0)];
  }
  const stored = await readChunkSet(cluster, set);
  if (stored.ok) return stored.names;
  throw new ClusterError('Conflict', `another manager writes ${set.nameOf(0)} and the Secrets after it`);
}

/** Reads a set whose first Secret says how many there are. Throws AlreadyExists where a Secret is not of this set. */
export async function readChunkSet(cluster: Cluster, set: ChunkSet): Promise<ReadChunks> {
  const first = await findSecret(cluster, set.namespace, set.nameOf(0));
  if (first) refuseForeign(set, first);
  const count = (first && chunkOf(first)?.count) ?? 1;
  const names = Array.from({ length: count }, (_, index) => set.nameOf(index));
  const rest = await Promise.all(names.slice(1).map(name => findSecret(cluster, set.namespace, name)));
  for (const secret of rest) if (secret) refuseForeign(set, secret);
  return join(names, [first, ...rest]);
}

/** Contents that can be read; `damaged` also names what is only a part of its content. */
export type ReadContents = { readonly ok: true; readonly contents: readonly Uint8Array[] } | BrokenChunks;

/** Reads Secrets by name: every content of which they are, in the order of its first one. All Secrets of a content must be named. */
export async function readChunks(
  cluster: Cluster,
  namespace: string,
  names: readonly string[],
): Promise<ReadContents> {
  const secrets = await Promise.all(names.map(name => findSecret(cluster, namespace, name)));
  const missing = names.filter((_, place) => secrets[place] === undefined);
  const damaged = names.filter((_, place) => secrets[place] && !chunkOf(secrets[place]));
  // Told first: without them the others look like parts.
  if (missing.length > 0 || damaged.length > 0) return { ok: false, missing, damaged };
  const groups = new Map<Digest, number[]>();
  for (const [place, secret] of secrets.entries()) {
    const whole = (secret && chunkOf(secret)?.whole) ?? '';
    groups.set(whole, [...(groups.get(whole) ?? []), place]);
  }
  const read = [...groups.values()].map(places =>
    join(
      places.map(place => names[place] ?? ''),
      places.map(place => secrets[place]),
    ),
  );
  const broken = read.flatMap(one => (one.ok ? [] : one.damaged));
  if (broken.length > 0) return { ok: false, missing: [], damaged: broken };
  return { ok: true, contents: read.flatMap(one => (one.ok ? [one.bytes] : [])) };
}

function join(names: readonly string[], secrets: readonly (StoredObject | undefined)[]): ReadChunks {
  const missing = names.filter((_, place) => secrets[place] === undefined);
  const chunks = secrets.map(secret => secret && chunkOf(secret));
  const whole = chunks.find(chunk => chunk !== undefined)?.whole;
  const isRight = (chunk: Chunk | undefined, place: number) =>
    chunk?.whole === whole && chunk?.index === place && chunk.count === names.length;
  const damaged = names.filter((_, place) => secrets[place] !== undefined && !isRight(chunks[place], place));
  if (missing.length > 0 || damaged.length > 0) return { ok: false, missing, damaged };
  const bytes = Buffer.concat(chunks.map(chunk => chunk?.bytes ?? new Uint8Array()));
  return digestBytes(bytes) === whole
    ? { ok: true, bytes, names }
    : { ok: false, missing: [], damaged: names };
}

function cut(bytes: Uint8Array): readonly Chunk[] {
  const whole = digestBytes(bytes);
  const count = Math.max(1, Math.ceil(bytes.length / chunkBytes));
  return Array.from({ length: count }, (_, index) => ({
    ...{ index, count, whole },
    bytes: bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  }));
}

async function keepChunk(cluster: Cluster, set: ChunkSet, chunk: Chunk): Promise<void> {
  const secret = secretOf(set, chunk);
  const name = set.nameOf(chunk.index);
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      await cluster.create(secret);
      return;
    } catch (error) {
      if (!isReason(error, 'AlreadyExists')) throw error;
    }
    const there = await findSecret(cluster, set.namespace, name);
    if (!there) continue;
    refuseForeign(set, there);
    if (chunkOf(there)?.whole === chunk.whole) return;
    await removeSecret(cluster, there);
  }
  throw new ClusterError('Conflict', `another manager writes Secret ${name}`);
}

function refuseForeign(set: ChunkSet, { metadata }: StoredObject): void {
  if (set.ownedBy.every(label => metadata.labels?.[label] === set.labels[label])) return;
  throw new ClusterError('AlreadyExists', `Secret ${metadata.name} is there and not of this work`);
}

function secretOf({ namespace, nameOf, labels }: ChunkSet, chunk: Chunk): ClusterObject {
  const { index, count, whole, bytes } = chunk;
  const about = JSON.stringify({ index, count, whole, digest: digestBytes(bytes) });
  return {
    ...secretType,
    metadata: { name: nameOf(index), namespace, labels },
    immutable: true,
    data: { about: Buffer.from(about).toString('base64'), content: Buffer.from(bytes).toString('base64') },
  };
}

/** What a Secret holds; undefined where it is not what was written. */
function chunkOf(secret: StoredObject): Chunk | undefined {
  const content = secretBytes(secret, 'content');
  const about = secretBytes(secret, 'about');
  if (!content || !about) return undefined;
  try {
    const { index, count, whole, digest } = JSON.parse(about.toString('utf8'));
    const isRight = Number.isInteger(count) && count > 0 && count <= mostChunks;
    return isRight && digestBytes(content) === digest ? { index, count, whole, bytes: content } : undefined;
  } catch {
    return undefined;
  }
}
