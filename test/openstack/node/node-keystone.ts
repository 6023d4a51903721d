/** A cloud of real services on a real node: images made of their roots, volumes, and the operator in pods, as its chart installs it. */
import { join } from 'node:path';
import { claimedVolume } from '../../../scripts/kubernetes/node/claimed-volume.ts';
import { nameImage } from '../../../scripts/kubernetes/node/load-images.ts';
import { loadOperatorImage } from '../../../scripts/kubernetes/node/operator-image.ts';
import { waitUntil } from '../../../scripts/kubernetes/process/wait-until.ts';
import { startTestNode, type TestNode } from '../../../scripts/kubernetes/test-node.ts';
import { loadServiceImages } from '../../../scripts/openstack/images/load-service-images.ts';
import type { ClusterObject } from '../../../src/cluster/cluster.ts';
import { mayDo } from '../../../src/testing/shipped-rights.ts';
import type { JourneyPlace } from '../../journeys/engine/journey-place.ts';
import type { JourneyWorld } from '../../journeys/engine/journey-world.ts';
import { type HelmRelease, helmRelease } from '../../kubernetes/operator/helm-release.ts';
import { operatorPlace } from '../../kubernetes/operator/operator-place.ts';
import { operatorImages } from '../../kubernetes/operator/operator-pods.ts';
import { personRights } from '../../kubernetes/operator-rights.ts';
import { openKeystoneWorld } from '../keystone-world.ts';

const { repository, tags } = operatorImages;
const say = (line: string) => process.stdout.write(`${line}\n`);

/** What packages claim, by how much of it. */
const claims = { 'mariadb-data': '20Gi', 'keystone-backups': '10Gi' } as const;

export interface NodeKeystone {
  readonly node: TestNode;
  readonly world: JourneyWorld;
  close(): Promise<void>;
}

/** Opens one, on a node of its own or on the one of AFLOAT_TEST_KUBECONFIG. The operator is ready, and nothing else is installed. */
export async function openNodeKeystone(): Promise<NodeKeystone> {
  const { node, stop } = await startTestNode(say);
  let world: JourneyWorld | undefined;
  let release: HelmRelease | undefined;
  const close = async () => {
    try {
      // The operator sees to the end of what it has a hand in, so it goes last.
      if (world) for (const volume of volumesOf(world)) await world.cluster.delete(refOf(volume));
      await world?.close();
      await release?.uninstall();
    } finally {
      await stop();
    }
  };
  try {
    const images = await loadServiceImages(node, say);
    await loadOperatorImage({ ctr: node.ctr ?? [] }, `${repository}:${tags[0]}`);
    const opened = await openKeystoneWorld(folder => keystonePlace(node, folder, images));
    for (const volume of volumesOf(opened)) await opened.cluster.create(volume);
    world = opened;
    const installed = await helmRelease(node, world.namespace);
    await installed.install(tags[0]);
    release = installed;
    for (const wish of personRights(world.namespace))
      await waitUntil(`the right of ${wish.user}`, 60, () => mayDo(opened.cluster, wish));
    return { node, world, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Names that begin with the one of an image are versions made of it. */
async function keystonePlace(
  node: TestNode,
  folder: string,
  images: readonly string[],
): Promise<JourneyPlace> {
  return {
    ...(await operatorPlace(node, folder)),
    patience: 1, // stories of real services have enough of it
    async image(name) {
      const [base] = images.filter(one => name.startsWith(one)).toSorted((a, b) => b.length - a.length);
      if (base !== undefined && base !== name) await nameImage(node, base, name);
    },
  };
}

function volumesOf({ namespace, folder }: JourneyWorld): readonly ClusterObject[] {
  return Object.entries(claims).map(([claim, size]) =>
    claimedVolume({ namespace, claim, size, folder: join(folder, claim) }),
  );
}

const refOf = ({ apiVersion, kind, metadata }: ClusterObject) => ({
  ...{ apiVersion, kind, name: metadata.name ?? '' },
});
