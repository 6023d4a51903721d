import { type Finding, finding } from '../../api/finding.ts';
import { compareText } from '../../base/json.ts';
import type { Cluster, StoredObject } from '../../cluster/cluster.ts';
import { listAll } from '../../cluster/follow/list-all.ts';
import { type HelmRelease, readRelease, releaseSecretType } from '../../package/release/read-release.ts';

/** The releases of a namespace, or what is wrong with those that were asked for. */
export interface FoundReleases {
  readonly releases: readonly HelmRelease[];
  readonly findings: readonly Finding[];
}

/**
 * The Helm releases that run in a namespace, by name: all of them, or those that are named. One that is not there, that Helm is in the middle of
 * changing, or whose last change failed is a finding: nobody could say what runs.
 */
export async function findReleases(
  cluster: Cluster,
  namespace: string,
  names: readonly string[],
): Promise<FoundReleases> {
  const { items } = await listAll(
    cluster,
    { apiVersion: 'v1', kind: 'Secret' },
    { namespace, labelSelector: 'owner=helm' },
  );
  const newest = newestOf(items.filter(secret => secret['type'] === releaseSecretType));
  const known = [...newest.keys()].sort(compareText);
  const wanted = names.length > 0 ? [...new Set(names)].sort(compareText) : known;
  const releases: HelmRelease[] = [];
  const findings: Finding[] = [];
  for (const name of wanted) {
    const secret = newest.get(name);
    const read = secret ? readOne(name, secret) : { findings: [notThere(name, namespace, known)] };
    if ('release' in read) releases.push(read.release);
    else findings.push(...read.findings);
  }
  if (wanted.length === 0)
    findings.push(finding('ReleaseNotFound', `namespace ${namespace} has no release of Helm`));
  return { releases, findings };
}

/** Each release by its last revision. One that was uninstalled and kept for its history runs nothing. */
function newestOf(secrets: readonly StoredObject[]): Map<string, StoredObject> {
  const newest = new Map<string, StoredObject>();
  for (const secret of secrets) {
    const { name = '' } = secret.metadata.labels ?? {};
    const other = newest.get(name);
    if (!other || revisionOf(secret) > revisionOf(other)) newest.set(name, secret);
  }
  for (const [name, secret] of newest) if (statusOf(secret) === 'uninstalled') newest.delete(name);
  return newest;
}

function revisionOf({ metadata }: StoredObject): number {
  return Number(metadata.labels?.['version'] ?? 0);
}

function statusOf({ metadata }: StoredObject): string {
  return metadata.labels?.['status'] ?? '';
}

function readOne(name: string, secret: StoredObject): ReturnType<typeof readRelease> {
  const status = statusOf(secret);
  if (status === 'deployed') {
    const { release = '' } = (secret['data'] ?? {}) as { readonly release?: string };
    return readRelease(secret.metadata.name, release);
  }
  const message = `release ${name} is ${status === '' ? 'in no state that Helm names' : status}, so nobody knows what runs of it`;
  return { findings: [finding('ReleaseNotSettled', message)] };
}

function notThere(name: string, namespace: string, known: readonly string[]): Finding {
  const advice =
    known.length === 0 ? 'There is no release in it at all.' : `Name one of ${known.join(', ')}.`;
  return finding('ReleaseNotFound', `namespace ${namespace} has no release ${name}`, {}, advice);
}
