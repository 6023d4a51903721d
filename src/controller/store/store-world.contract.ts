import { createHash } from 'node:crypto';
import type { Source } from '../../api/openstack-deployment.ts';
import { compareText } from '../../base/json.ts';
import type { Cluster, StoredObject } from '../../cluster/cluster.ts';
import { packageDigest } from '../../package/package-digest.ts';
import type { PackageFiles } from '../../package/source.ts';
import { CutCluster } from '../../testing/cut-cluster.ts';
import { Cut, type CutAt, CutLine, everyCut } from '../../testing/cut-line.ts';
import type { PushedPackage } from './push-packages.ts';
import { secretType } from './secret-access.ts';

/** Files by path; those that begin with `#!` are executable. */
export function filesOf(texts: Readonly<Record<string, string | Uint8Array>>): PackageFiles {
  return Object.entries(texts)
    .map(([path, text]) => ({ path, bytes: Buffer.from(text), executable: text.toString().startsWith('#!') }))
    .sort((a, b) => compareText(a.path, b.path));
}

/** A package at a location. */
export function aPackage(
  location: string,
  texts: Readonly<Record<string, string | Uint8Array>>,
): PushedPackage {
  const files = filesOf(texts);
  const source: Source = { type: 'local', location };
  return { source, files, digest: packageDigest(files) };
}

/** Bytes that cannot be made smaller, the same in every run. */
export function noise(bytes: number, seed: string): Buffer {
  const blocks = Array.from({ length: Math.ceil(bytes / 32) }, (_, index) =>
    createHash('sha256').update(`${seed} ${index}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, bytes);
}

/** A new namespace of a cluster. */
export async function namespaceIn(cluster: Cluster, name: string): Promise<string> {
  await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  return name;
}

/** The names of the Secrets of a namespace. */
export async function secretNames(cluster: Cluster, namespace: string): Promise<string[]> {
  return (await secretsOf(cluster, namespace)).map(({ metadata }) => metadata.name);
}

/** The Secrets of a namespace. */
export async function secretsOf(cluster: Cluster, namespace: string): Promise<readonly StoredObject[]> {
  return (await cluster.list(secretType, { namespace })).items;
}

/**
 * Does a work once to the end to count its calls, and then once for every place at which it can be cut off, each in a namespace of
 * its own; `check` sees what was left.
 */
export async function cutEverywhere(
  cluster: Cluster,
  work: (cluster: Cluster, namespace: string) => Promise<unknown>,
  check: (namespace: string, at: CutAt) => Promise<void>,
): Promise<number> {
  const whole = new CutCluster(cluster);
  await work(whole, await namespaceIn(cluster, 'whole'));
  const cuts = everyCut(whole.calls().length);
  for (const at of cuts) {
    const namespace = await namespaceIn(cluster, `cut-${at.when}-${at.call}`);
    const process = new CutCluster(cluster, new CutLine(at));
    const end = await work(process, namespace).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!(end instanceof Cut))
      throw end ?? new Error(`it went on although it was cut off ${at.when} ${at.call}`);
    await check(namespace, at);
  }
  return cuts.length;
}

/** Replaces a Secret by one that holds something else, as no honest writer would. */
export async function damage(cluster: Cluster, namespace: string, name: string): Promise<void> {
  const ref = { ...secretType, namespace, name };
  const secret = await cluster.get(ref);
  await cluster.delete(ref);
  const { labels = {} } = secret.metadata;
  const data = { ...(secret['data'] as object), content: Buffer.from('damaged').toString('base64') };
  await cluster.create({ ...secretType, metadata: { name, namespace, labels }, immutable: true, data });
}
