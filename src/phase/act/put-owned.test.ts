import { afterEach, expect, it } from 'vitest';
import { managedBy, managedByLabel, phaseLabel } from '../../api/labels.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import { ActWorld, emptyNotes } from '../../testing/act-world.ts';
import { aTask, aWorkload } from '../../testing/scripted-ports.ts';
import { digestAnnotation } from '../object/prepare-object.ts';
import { putOwned } from './put-owned.ts';

let world: ActWorld;
afterEach(() => world.close());

/** An object as a phase that stands alone owns it. */
function owned({ object }: ReturnType<typeof aTask>, digest: string) {
  const { metadata, ...rest } = object as unknown as ClusterObject;
  const labels = { ...metadata.labels, [managedByLabel]: managedBy, [phaseLabel]: 'alone' };
  const about = { ...metadata, namespace: 'default', labels, annotations: { [digestAnnotation]: digest } };
  return { object: { ...rest, metadata: about } as ClusterObject, onlyIfMissing: false };
}

/** One pass; what it noted as done. */
async function pass(done: readonly string[], digest = 'd'): Promise<readonly string[]> {
  const notes = emptyNotes();
  const now = world.clock.wall();
  const run = { now, startedAt: now, done: new Set(done), mayTake: () => false };
  const objects = [owned(aTask('init', 'install'), digest), owned(aWorkload('Deployment', 'api'), digest)];
  await putOwned(run, world.ports, notes, objects);
  await world.node.settle();
  return notes.done ?? [];
}

it('what runs once and is done is told, and is not run again when it was cleaned up before the rest is there', async () => {
  world = await ActWorld.open(({ owner }) =>
    owner?.kind === 'Job' ? { exitCode: 0, seconds: 0 } : undefined,
  );
  expect(await pass([])).toEqual([]);
  const done = await pass([]);
  expect(done).toEqual(['Job init']);
  const ref = { apiVersion: 'batch/v1', kind: 'Job', namespace: 'default', name: 'init' };
  await world.cluster.delete(ref, { propagation: 'Background' });
  expect(await pass(done)).toEqual(done);
  expect(await world.find('Job', 'init', 'batch/v1')).toBeUndefined();
});

it('a Job of that name that is there and complete is done, also where an older Afloat wrote it and nothing was told of it', async () => {
  world = await ActWorld.open(({ owner }) =>
    owner?.kind === 'Job' ? { exitCode: 0, seconds: 0 } : undefined,
  );
  await pass([], 'as an older one wrote it');
  const before = await world.find('Job', 'init', 'batch/v1');
  expect(before?.['status']).toMatchObject({ succeeded: 1 });
  await pass([]);
  await pass([]);
  expect(await world.find('Job', 'init', 'batch/v1')).toEqual(before);
});
