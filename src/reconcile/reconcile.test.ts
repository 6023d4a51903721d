import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ClusterObject } from '../cluster/cluster.ts';
import { ClusterError } from '../cluster/cluster-error.ts';
import { EmbeddedCluster } from '../cluster/embedded/embedded-cluster.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { partsOf, placeOf } from './informer.ts';
import { Reconciling } from './reconcile.ts';

const type = { apiVersion: 'v1', kind: 'ConfigMap' };
const configMap = (name: string, extra: object = {}): ClusterObject => ({
  ...type,
  metadata: { name, namespace: 'default', ...extra },
});

const widgetDefinition: ClusterObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.org' },
  spec: {
    ...{ group: 'example.org', scope: 'Namespaced', names: { plural: 'widgets', kind: 'Widget' } },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

describe('reconciling', () => {
  let folder: string;
  let cluster: EmbeddedCluster;
  let stop: AbortController;
  let reconciling: Reconciling;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'afloat-reconcile-'));
    cluster = await EmbeddedCluster.open(folder);
    stop = new AbortController();
    reconciling = new Reconciling(cluster, { signal: stop.signal });
  });

  afterEach(async () => {
    stop.abort();
    await reconciling.ended();
    await cluster.close();
    rmSync(folder, { recursive: true });
  });

  test('finds what it just wrote, and not what it just removed', async () => {
    const informer = reconciling.informer(type);
    await reconciling.start();
    await reconciling.create(configMap('a'));
    expect(informer.get('default', 'a')).toBeDefined();
    await reconciling.delete({ ...type, namespace: 'default', name: 'a' });
    expect(informer.get('default', 'a')).toBeUndefined();
  });

  test('does not wait for a kind that nobody knows yet, and follows it when it is there', async () => {
    const late = { apiVersion: 'example.org/v1', kind: 'Widget' };
    const informer = reconciling.lateInformer(late);
    const passes: string[] = [];
    await reconciling.start();
    reconciling.run({
      name: 'late',
      pass: async key => void passes.push(key),
      watches: [{ type: late, keysOf: ({ metadata }) => [metadata.name] }],
    });
    await cluster.create(widgetDefinition);
    await cluster.create({ ...late, metadata: { name: 'a', namespace: 'default' } });
    await expect.poll(() => informer.get('default', 'a'), { timeout: 30_000 }).toBeDefined();
    await expect.poll(() => passes, { timeout: 30_000 }).toContain('a');
  });

  test('keeps what is only marked as deleted until it is gone', async () => {
    const informer = reconciling.informer(type);
    await reconciling.start();
    await reconciling.create(configMap('a', { finalizers: ['test/stay'] }));
    const ref = { ...type, namespace: 'default', name: 'a' };
    await reconciling.delete(ref);
    expect(informer.get('default', 'a')?.metadata.deletionTimestamp).toBeDefined();
    await cluster.patch(ref, { type: 'merge', value: { metadata: { finalizers: null } } });
    await expect.poll(() => informer.get('default', 'a')).toBeUndefined();
  });

  test('calls a pass for what is there, for what comes, and for what goes', async () => {
    await cluster.create(configMap('there'));
    const passes: string[] = [];
    const informer = reconciling.informer(type);
    await reconciling.start();
    reconciling.run({
      name: 'test',
      watches: [{ type, keysOf: object => [placeOf(object.metadata.namespace, object.metadata.name)] }],
      pass: async key => {
        const { namespace, name } = partsOf(key);
        if (namespace === 'default')
          passes.push(`${name} ${informer.get(namespace, name) ? 'is' : 'is not'}`);
        return undefined;
      },
    });
    await expect.poll(() => passes).toContain('there is');
    await cluster.create(configMap('new'));
    await expect.poll(() => passes).toContain('new is');
    await cluster.delete({ ...type, namespace: 'default', name: 'new' });
    await expect.poll(() => passes).toContain('new is not');
  });

  test('makes one pass of changes that may wait for more, and does not let what goes wait', async () => {
    const clock = new FakeClock();
    const later = new Reconciling(cluster, { signal: stop.signal, clock });
    const passes: string[] = [];
    const informer = later.informer(type);
    await later.start();
    const queue = later.run({
      name: 'test',
      watches: [
        {
          type,
          keysOf: ({ metadata }) => (metadata.namespace === 'default' ? ['all'] : []),
          gatherSeconds: () => 5,
        },
      ],
      pass: async () => {
        passes.push(['a', 'b', 'c'].filter(name => informer.get('default', name)).join(' '));
        return undefined;
      },
    });
    await queue.idle();
    passes.length = 0;
    for (const name of ['a', 'b', 'c']) await later.create(configMap(name));
    await queue.idle();
    expect(passes).toEqual([]);
    await clock.advance(5000);
    await queue.idle();
    expect(passes).toEqual(['a b c']);
    await later.delete({ ...type, namespace: 'default', name: 'b' });
    await queue.idle();
    expect(passes).toEqual(['a b c', 'a c']);
  });

  test('follows one namespace only where that is wanted', async () => {
    await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
    await cluster.create(configMap('here'));
    await cluster.create({ ...type, metadata: { name: 'there', namespace: 'other' } });
    const one = new Reconciling(cluster, { signal: stop.signal, namespace: 'other' });
    const informer = one.informer(type);
    await one.start();
    expect(informer.get('other', 'there')).toBeDefined();
    expect(informer.get('default', 'here')).toBeUndefined();
  });

  test('tells of every pass how it ended, and how many wait', async () => {
    const told: string[] = [];
    const clock = new FakeClock();
    const counted = new Reconciling(cluster, {
      signal: stop.signal,
      clock,
      onPass: ({ controller, key, error }) => void told.push(`${controller} ${key} ${error ?? 'well'}`),
    });
    await counted.start();
    let fails = true;
    const queue = counted.run({
      name: 'test',
      watches: [],
      workers: 1,
      pass: async () => {
        if (!fails) return undefined;
        fails = false;
        throw new ClusterError('Conflict', 'no');
      },
    });
    queue.add('a');
    queue.add('b');
    expect(queue.depth).toBe(1);
    await queue.idle();
    await clock.advance(1000);
    await queue.idle();
    expect(told).toEqual(['test a ClusterError: no', 'test b well', 'test a well']);
    expect(queue.depth).toBe(0);
  });
});
