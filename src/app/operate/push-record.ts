import type { Cluster } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { pushPackages } from '../../controller/store/push-packages.ts';
import { load } from '../../record/load.ts';
import { fromFolder } from '../decide.ts';
import { ensureNamespace } from '../ensure-namespace.ts';
import type { NamespaceWish } from '../in-namespace.ts';
import type { Pushed, RecordRequest } from '../operator-verbs.ts';
import { readByHand } from './read-by-hand.ts';
import { readRecord } from './read-record.ts';

/**
 * Checks a record, or manifests of flows and phases that a person wrote by hand, and brings their packages into the cluster, where an
 * operator finds them. Where anything is wrong nothing is written.
 */
export async function pushRecord(
  cluster: Cluster,
  request: RecordRequest,
  wish: NamespaceWish,
): Promise<Pushed> {
  const loaded = await load(
    request.paths.map(path => fromFolder(request.folder, path)),
    request.stdin,
  );
  const byHand =
    loaded.findings.length > 0 ? undefined : await readByHand(loaded.manifests, request.folder, wish);
  if (byHand && byHand.findings.length > 0) return { findings: byHand.findings, refused: false };
  const read = byHand ?? (await readRecord(request, wish));
  if ('refused' in read) return read;
  const namespace = 'record' in read ? read.record.namespace : read.namespace;
  await openNamespace(cluster, namespace);
  await pushPackages(cluster, namespace, read.packages);
  return {
    namespace,
    packages: read.packages.map(({ source: { location }, digest }) => ({ location, digest })),
  };
}

/** Makes sure of the namespace. Who may not see or make namespaces may still write into one that is there; the next write tells. */
export async function openNamespace(cluster: Cluster, namespace: string): Promise<void> {
  try {
    await ensureNamespace(cluster, namespace);
  } catch (error) {
    if (!isReason(error, 'Forbidden')) throw error;
  }
}
