import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PodWorld } from '../pod-world.contract.ts';

let world: PodWorld;
beforeEach(async () => {
  world = await PodWorld.open({ script: () => ({ onTerm: 0 }) });
});
afterEach(() => world.close());

const claim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  namespace: 'default',
  name: 'data',
} as const;
const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
const mounted = { volumeMounts: [{ name: 'v', mountPath: '/data' }] };
const folder = () => join(world.folder, 'volumes/default/data');

function createClaim() {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  return world.create('PersistentVolumeClaim', 'data', { spec });
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

test('a Pod waits for its claim; what it writes outlives it', async () => {
  await world.createPod('db', mounted, { volumes });
  await world.sees('db', { status: { conditions: [{ type: 'PodScheduled', reason: 'Unschedulable' }] } });
  await createClaim();
  await world.sees('db', { status: { phase: 'Running' } });
  expect(await world.cluster.get(claim)).toMatchObject({
    status: { phase: 'Bound', capacity: { storage: '1Gi' } },
  });
  expect(world.containers.started[0]?.mounts).toContainEqual({
    source: folder(),
    target: '/data',
    readOnly: false,
  });
  await writeFile(join(folder(), 'kept'), '');
  await world.delete('db');
  await world.gone('db');
  expect(await isThere(join(folder(), 'kept'))).toBe(true);
});

test('a claim that is deleted goes, with its folder, when no Pod uses it any more', async () => {
  await createClaim();
  await world.createPod('db', mounted, { volumes });
  await world.sees('db', { status: { phase: 'Running' } });
  await world.cluster.delete(claim);
  expect(await world.cluster.get(claim)).toMatchObject({
    metadata: { deletionTimestamp: expect.any(String) },
  });
  expect(await isThere(folder())).toBe(true);
  await world.delete('db');
  await vi.waitFor(
    () => expect(world.cluster.get(claim)).rejects.toMatchObject({ code: 'ClusterNotFound' }),
    5000,
  );
  expect(await isThere(folder())).toBe(false);
});

test('one that was deleted while there was no manager goes with its folder too', async () => {
  await createClaim();
  await vi.waitFor(async () => expect(await isThere(folder())).toBe(true), 5000);
  await world.stopManager();
  await world.cluster.delete(claim);
  await world.startManager();
  await vi.waitFor(async () => expect(await isThere(folder())).toBe(false), 5000);
});
