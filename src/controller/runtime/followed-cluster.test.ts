import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ListOptions, ObjectRef, ObjectType } from '../../cluster/cluster.ts';
import { EmbeddedCluster } from '../../cluster/embedded/embedded-cluster.ts';
import { Reconciling } from '../../reconcile/reconcile.ts';
import { FencedCluster } from './fenced-cluster.ts';
import { FollowedCluster } from './followed-cluster.ts';

const followed = { apiVersion: 'v1', kind: 'ConfigMap' };
const other = { apiVersion: 'v1', kind: 'Secret' };
const namespace = 'default';

/** Keeps what it is asked for. */
class AskedCluster extends FencedCluster {
  readonly asked: string[] = [];

  override get(ref: ObjectRef) {
    this.asked.push(`get ${ref.kind}`);
    return super.get(ref);
  }

  override list(type: ObjectType, options?: ListOptions) {
    this.asked.push(`list ${type.kind}`);
    return super.list(type, options);
  }
}

let folder: string;
let cluster: EmbeddedCluster;
let asked: AskedCluster;
let view: FollowedCluster;
let reconciling: Reconciling;
const stop = { now: () => {} };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'afloat-followed-'));
  cluster = await EmbeddedCluster.open(folder);
  const ending = new AbortController();
  stop.now = () => ending.abort();
  reconciling = new Reconciling(cluster, { signal: ending.signal });
  asked = new AskedCluster(cluster, async () => true);
  view = new FollowedCluster(asked, reconciling, [followed]);
  for (const [name, app] of [
    ['a', 'one'],
    ['b', 'two'],
  ] as const)
    for (const type of [followed, other])
      await cluster.create({ ...type, metadata: { name, namespace, labels: { app } } });
  await reconciling.start();
});
afterEach(async () => {
  stop.now();
  await reconciling.ended();
  await cluster.close();
  rmSync(folder, { recursive: true });
});

it('reads kinds that are at hand without asking', async () => {
  expect((await view.get({ ...followed, namespace, name: 'a' })).metadata.labels).toEqual({ app: 'one' });
  const { items } = await view.list(followed, { namespace, labelSelector: 'app=two' });
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['b']);
  expect((await view.list(followed, { namespace: 'elsewhere' })).items).toEqual([]);
  for (const [labelSelector, names] of [
    ['app=one,app', ['a']],
    ['app,app!=one', ['b']],
    ['app in (one,two)', ['a', 'b']],
    ['app=one,app=two', []],
    ['', ['a', 'b']],
  ] as const) {
    const { items: met } = await view.list(followed, { namespace, labelSelector });
    const those = met.map(({ metadata }) => metadata.name).filter(name => name === 'a' || name === 'b');
    expect([labelSelector, those.sort()]).toEqual([labelSelector, names]);
  }
  expect((await view.list(followed, { namespace: 'elsewhere', labelSelector: 'app=one' })).items).toEqual([]);
  await expect(view.get({ ...followed, namespace, name: 'c' })).rejects.toMatchObject({ reason: 'NotFound' });
  expect((await view.list(followed, { namespace, labelSelector: 'app=two', limit: 1 })).items).toHaveLength(
    1,
  );
  expect(asked.asked).toEqual([]);
});

it('asks for other kinds, and for what cannot be said of what is at hand', async () => {
  expect((await view.get({ ...other, namespace, name: 'a' })).metadata.name).toBe('a');
  expect((await view.list(followed, { namespace, limit: 1 })).items).toHaveLength(1);
  expect(asked.asked).toEqual(['get Secret', 'list ConfigMap']);
});

it('sees what is written elsewhere as soon as that is told', async () => {
  await view.create({ ...followed, metadata: { name: 'c', namespace } });
  await expect.poll(() => view.get({ ...followed, namespace, name: 'c' }), { timeout: 20_000 }).toBeDefined();
});

it('asks before it writes, where it is told to', async () => {
  const looking = new FollowedCluster(asked, reconciling, [followed], async () => false);
  await expect(looking.create({ ...followed, metadata: { name: 'd', namespace } })).rejects.toMatchObject({
    reason: 'ServiceUnavailable',
  });
});
