import { describe, expect, it } from 'vitest';
import type { EmbeddedCluster } from '../../cluster/embedded/embedded-cluster.ts';
import {
  clusterForEachTest,
  configMap,
  configMaps,
  refTo,
} from '../../cluster/embedded/store-folder.contract.ts';
import { newestEpoch, takeEpoch } from './epoch.ts';
import { FencedCluster } from './fenced-cluster.ts';

let cluster: EmbeddedCluster;
clusterForEachTest(opened => {
  cluster = opened;
});

/** The cluster of a manager that has this number. */
const fencedFor = (epoch: number) =>
  new FencedCluster(cluster, async () => (await newestEpoch(cluster)) <= epoch);

describe('FencedCluster', () => {
  it('lets the newest manager write', async () => {
    const fenced = fencedFor(await takeEpoch(cluster));
    await fenced.create(configMap('a'));
    await fenced.as({ user: 'somebody' }).patch(refTo('a'), { type: 'merge', value: { data: { x: '1' } } });
    expect((await fenced.get(refTo('a')))['data']).toEqual({ x: '1' });
  });

  it.each(['as itself', 'in the name of an account'])(
    'lets one that was relieved read, and write nothing, %s',
    async how => {
      const old = fencedFor(await takeEpoch(cluster));
      const stored = await old.create(configMap('a'));
      await takeEpoch(cluster);
      const fenced = how === 'as itself' ? old : old.as({ user: 'somebody' });
      const refused = { reason: 'ServiceUnavailable' };
      await expect(fenced.create(configMap('b'))).rejects.toMatchObject(refused);
      await expect(fenced.update(stored)).rejects.toMatchObject(refused);
      await expect(fenced.updateStatus(stored)).rejects.toMatchObject(refused);
      await expect(fenced.patch(refTo('a'), { type: 'merge', value: {} })).rejects.toMatchObject(refused);
      await expect(fenced.delete(refTo('a'))).rejects.toMatchObject(refused);
      const { items } = await fenced.list(configMaps, {
        namespace: 'default',
        fieldSelector: 'metadata.name=a',
      });
      expect(items.map(({ metadata }) => metadata.resourceVersion)).toEqual([
        stored.metadata.resourceVersion,
      ]);
    },
  );
});
