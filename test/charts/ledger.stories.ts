/** A chart in openstack-helm's style, which knows nothing of us, from its install to its removal. Told in the world that is given. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sliceLabel } from '../../src/api/labels.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { DataFolder } from '../journeys/engine/data-folder.ts';
import { type JourneyWorld, type OpenWorld, storyMs } from '../journeys/engine/journey-world.ts';
import { ledgerImages, ledgerVersions, writeLedgerChart } from './write-ledger-chart.ts';

/** What differs between worlds. */
export interface LedgerPlace {
  /** Over the values of the chart. */
  readonly values: (world: JourneyWorld) => JsonObject;
  /** Where its claim keeps its data, once it is installed. */
  readonly data: (world: JourneyWorld) => string;
  /** Before the first install: what a person prepares, such as a volume. */
  readonly prepare?: (world: JourneyWorld) => Promise<void>;
}

export function ledgerStories(open: OpenWorld, place: LedgerPlace): void {
  let world: JourneyWorld;
  const charts = mkdtempSync(join(tmpdir(), 'afloat-charts-'));
  beforeAll(async () => {
    world = await open();
    for (const version of Object.keys(ledgerVersions)) {
      await writeLedgerChart(join(charts, version), version);
      world.takePackage(join(charts, version), 'ledger', version);
      for (const image of ledgerImages(join(charts, version))) await world.place.image(image);
    }
    await world.cluster.create({
      ...{ apiVersion: 'v1', kind: 'Secret', stringData: { cache: 'a-key-of-the-cache' } },
      metadata: { name: 'ledger-secrets', namespace: world.namespace },
    });
    await place.prepare?.(world);
  }, storyMs);
  afterAll(async () => {
    rmSync(charts, { recursive: true, force: true });
    await world.close();
  }, storyMs);

  const cacheKey = {
    ...{ kind: 'Secret', name: 'ledger-secrets', valuesKey: 'cache' },
    targetPath: 'conf.cache_secret_key',
  };
  const at = (version: string, more: JsonObject = {}) => ({
    services: [
      {
        ...{ name: 'ledger', version, valuesFrom: [cacheKey] },
        values: { bootstrap: { enabled: true }, ...place.values(world) },
        ...more,
      },
    ],
  });
  const find = async (apiVersion: string, kind: string, name: string) =>
    world.cluster.get({ apiVersion, kind, namespace: world.namespace, name });
  const names = async (apiVersion: string, kind: string) => {
    const { items } = await world.cluster.list({ apiVersion, kind }, { namespace: world.namespace });
    return items
      .map(({ metadata }) => metadata.name)
      .filter(name => name.startsWith('ledger-'))
      .sort();
  };
  const keys = async () =>
    (await find('v1', 'Secret', 'ledger-keys'))['data'] as Record<string, string> | undefined;
  const answerer = () => world.until('an answer of ledger', () => world.serving('ledger-api'), 120);
  /** Takes a pod of a slice away, and gives what the one that comes in its place answers. */
  const restarted = async (slice: string): Promise<unknown> => {
    const pods = async () => {
      const labelSelector = `component=api,${sliceLabel}=${slice}`;
      const pod = { apiVersion: 'v1', kind: 'Pod' };
      return (await world.cluster.list(pod, { namespace: world.namespace, labelSelector })).items;
    };
    const before = await pods();
    const [gone] = before;
    if (!gone) throw new TypeError(`no pod in ${slice}`);
    const { name } = gone.metadata;
    await world.cluster.delete({ apiVersion: 'v1', kind: 'Pod', namespace: world.namespace, name });
    const comes = async () => {
      const fresh = (await pods()).find(one =>
        before.every(({ metadata }) => metadata.uid !== one.metadata.uid),
      );
      const { podIP } = (fresh?.['status'] ?? {}) as { podIP?: string };
      if (podIP === undefined) return undefined;
      const answer = await fetch(`http://${podIP}:8080/version`).catch(() => undefined);
      return answer?.ok ? answer.json() : undefined;
    };
    return world.until(`another pod in ${slice}`, comes, 120);
  };
  /** What its tasks did at a version, in order. */
  const ran = (version: string) =>
    new DataFolder(place.data(world)).lines('ledger').filter(line => line.version === version);
  let first: Record<string, string> | undefined;

  test(
    'whose first install fails is taken back, and leaves what no task of it drops',
    async () => {
      await world.apply(at('0.9.0'));
      await world.untilFlowEnds('ledger', 'takenback', 120);
      expect(await names('apps/v1', 'Deployment')).toEqual([]);
      expect(await names('v1', 'PersistentVolumeClaim')).toEqual(['ledger-data']);
    },
    storyMs,
  );

  test(
    'is installed: its set-up ran in its order, its empty Secret was filled, its test passed',
    async () => {
      await world.apply(at('1.0.0'));
      await world.untilFlowEnds('ledger', 'operational', 120);
      expect(await answerer()).toMatchObject({ version: '1.0.0', setting: 'usual' });
      first = await keys();
      expect(Object.keys(first ?? {})).toEqual(['0', '1']);
      const done = ran('1.0.0').filter(({ state }) => state === 'done');
      expect(done.map(({ task }) => task)).toEqual(['db-init', 'keys-setup', 'db-sync', 'bootstrap', 'test']);
      expect(await names('apps/v1', 'Deployment')).toEqual(['ledger-api-blue']);
    },
    storyMs,
  );

  test(
    'is upgraded beside itself: no request is lost, a pod of the old version keeps the old config, rotated keys stay',
    async () => {
      const load = await world.load('ledger-api');
      await world.apply({ ...at('1.1.0'), soakSeconds: 3600 });
      const isBeside = async () => (await names('apps/v1', 'Deployment')).includes('ledger-api-green');
      await world.until('the new version beside the old one', isBeside, 120);
      await world.cluster.patch(
        { apiVersion: 'v1', kind: 'Secret', namespace: world.namespace, name: 'ledger-keys' },
        { type: 'merge', value: { data: { 2: 'cm90YXRlZA==' } } },
      );
      const flow = await world.untilSettled('ledger', 120);
      // What clients use is the old version: these called it by the same name, and came to the new one.
      const done = ran('1.1.0').filter(({ state, slice }) => state === 'done' && slice === 'green');
      expect(done.map(({ task }) => task)).toEqual(['bootstrap', 'test']);
      expect(await restarted('blue')).toMatchObject({ version: '1.0.0', setting: 'usual' });
      await world.patchSpec(flow, { endSoak: true });
      await world.untilFlowEnds('ledger', 'operational', 120);
      await load.stop();
      const { requests, failed } = load.counts();
      process.stdout.write(`requests while a chart was upgraded: ${requests}, failed: ${failed}\n`);
      expect(load.lastFailure).toBeUndefined();
      expect(load.counts().failed).toBe(0);
      expect(await answerer()).toMatchObject({ version: '1.1.0', setting: 'newer' });
      expect(await keys()).toEqual({ ...first, 2: 'cm90YXRlZA==' });
      expect(await names('apps/v1', 'Deployment')).toEqual(['ledger-api-green']);
    },
    storyMs,
  );

  test(
    'with a test that fails is taken back, and serves on',
    async () => {
      await world.apply(at('1.1.1'));
      await world.untilFlowEnds('ledger', 'rolledback', 120);
      expect(await answerer()).toMatchObject({ version: '1.1.0' });
    },
    storyMs,
  );

  test(
    'with another schema is drained, backed up and migrated, in the order of its tasks',
    async () => {
      // Nothing in a chart says that old code survives its migration.
      await world.apply(at('1.2.0', { strategy: 'recreate' }));
      await world.untilFlowEnds('ledger', 'operational', 120);
      expect(await answerer()).toMatchObject({ version: '1.2.0', setting: 'newest' });
      const done = ran('1.2.0').filter(({ state }) => state === 'done');
      expect(done.map(({ task }) => task)).toEqual([
        ...['db-backup', 'db-verify', 'db-init', 'db-sync', 'bootstrap', 'test'],
      ]);
    },
    storyMs,
  );

  test(
    'is removed, but for its keys and its data',
    async () => {
      world.aPackage('stays', '1.0.0');
      await world.apply({ services: [{ name: 'stays', version: '1.0.0' }], removed: [{ name: 'ledger' }] });
      await world.untilFlowEnds('ledger', 'removed', 120);
      expect(await names('apps/v1', 'Deployment')).toEqual([]);
      expect(await names('v1', 'PersistentVolumeClaim')).toEqual(['ledger-data']);
      expect(Object.keys((await keys()) ?? {})).toHaveLength(3);
      expect(ran('1.2.0').at(-1)).toMatchObject({ task: 'clean', state: 'done' });
    },
    storyMs,
  );
}
