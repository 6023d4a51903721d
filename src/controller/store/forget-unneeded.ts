import { flowLabel, managedBy, managedByLabel, packageLabel } from '../../api/labels.ts';
import type { Source } from '../../api/openstack-deployment.ts';
import type { Oslc } from '../../api/oslc.ts';
import type { RevisionSpec } from '../../api/service-revision.ts';
import { shortDigest } from '../../base/digest.ts';
import type { Cluster, StoredObject } from '../../cluster/cluster.ts';
import { flowLabelValue, manifestPrefix } from './manifest-store.ts';
import { type PackageIndex, sourceKey, writeIndex } from './package-index.ts';
import { packagePrefix } from './push-packages.ts';
import { removeSecret } from './secret-access.ts';

/** Everything that says what is still needed. */
export interface Needs {
  /** All revisions of the namespace. */
  readonly revisions: readonly Pick<RevisionSpec, 'parts'>[];
  /** The flows that have not ended, by name. */
  readonly flows: readonly {
    readonly name: string;
    readonly spec: Pick<Oslc['spec'], 'planned'>;
    readonly status?: Pick<NonNullable<Oslc['status']>, 'manifests'>;
  }[];
  /** The packages that records ask for now; locations have no placeholders left. */
  readonly wanted: readonly Source[];
  readonly index: PackageIndex;
  /** The Secrets of the namespace; those that are not ours are never named. */
  readonly secrets: readonly StoredObject[];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** How long what was pushed is kept for a record that is yet to name it; a day where nobody says otherwise. */
  readonly graceSeconds?: number;
}

/** What may go. */
export interface Unneeded {
  readonly secrets: readonly StoredObject[];
  /** Keys of the index. */
  readonly entries: readonly string[];
}

/**
 * The packages and manifests that no revision, no running flow and no record needs, and that were not pushed just now. A manifest
 * that is needed needs its package: programs of its images lie there.
 */
export function findUnneeded(needs: Needs): Unneeded {
  const { index, secrets, now, graceSeconds = 86_400 } = needs;
  const isRecent = (time: string | undefined) =>
    time === undefined || !(Date.parse(time) + graceSeconds * 1000 <= now);
  const ours = secrets.filter(({ metadata }) => metadata.labels?.[managedByLabel] === managedBy);
  const manifests = ours.filter(({ metadata }) => metadata.name.startsWith(manifestPrefix));
  const neededManifests = manifests.filter(isNeededManifest(needs));
  const wantedKeys = new Set(needs.wanted.map(sourceKey));
  const kept = [...index].filter(([key, { pushedAt }]) => wantedKeys.has(key) || isRecent(pushedAt));
  // By short digest, as labels have them: two that look the same are both kept.
  const packages = new Set([
    ...packageDigests(needs).map(shortDigest),
    ...kept.map(([, { digest }]) => shortDigest(digest)),
    ...neededManifests.map(({ metadata }) => metadata.labels?.[packageLabel]),
  ]);
  const chunks = ours.filter(({ metadata }) => metadata.name.startsWith(packagePrefix));
  return {
    secrets: [
      ...chunks.filter(
        ({ metadata }) =>
          !packages.has(metadata.labels?.[packageLabel]) && !isRecent(metadata.creationTimestamp),
      ),
      ...manifests.filter(one => !neededManifests.includes(one)),
    ],
    entries: [...index].flatMap(([key, { digest }]) => (packages.has(shortDigest(digest)) ? [] : [key])),
  };
}

/**
 * Takes away what may go: first from the index, so that nobody is led to a package that is half gone. Cut off anywhere, the next time
 * finds the rest.
 */
export async function forgetUnneeded(
  cluster: Cluster,
  namespace: string,
  { secrets, entries }: Unneeded,
): Promise<void> {
  await writeIndex(cluster, namespace, new Map(entries.map(key => [key, undefined])));
  for (const secret of secrets) await removeSecret(cluster, secret);
}

/** Named by a revision or a flow, or of a flow that has not written down yet what it kept. */
function isNeededManifest({ revisions, flows }: Needs): (secret: StoredObject) => boolean {
  const names = new Set([
    ...revisions.flatMap(({ parts }) => parts.flatMap(part => part.manifests)),
    ...flows.flatMap(({ status }) => status?.manifests ?? []),
  ]);
  const running = new Set<string | undefined>(flows.map(({ name }) => flowLabelValue(name)));
  return ({ metadata }) => names.has(metadata.name) || running.has(metadata.labels?.[flowLabel]);
}

function packageDigests({ revisions, flows }: Needs): string[] {
  const ofFlows = flows.flatMap(({ spec }) => [spec.planned?.step.from, spec.planned?.step.to]);
  return [
    ...revisions.flatMap(({ parts }) => parts.map(part => part.packageDigest)),
    ...ofFlows.flatMap(place => place?.packageDigest ?? []),
  ];
}
