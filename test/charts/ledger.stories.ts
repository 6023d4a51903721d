/** A chart in openstack-helm's style, which knows nothing of us, from its install to its removal. Told in the world that is given. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { type JourneyWorld, type OpenWorld, storyMs } from '../journeys/engine/journey-world.ts';
import { ledgerVersions, writeLedgerChart } from './write-ledger-chart.ts';

/** What differs between worlds. */
export interface LedgerPlace {
  /** Over the values of the chart. */
  readonly values: (world: JourneyWorld) => JsonObject;
  /** Before the first install: what a person prepares, such as a volume. */
  readonly prepare?: (world: JourneyWorld) => Promise<void>;
  /** Whether a change must lose no request. */
  readonly isLoaded?: boolean;
}

export function ledgerStories(open: OpenWorld, place: LedgerPlace): void {
  let world: JourneyWorld;
  const charts = mkdtempSync(join(tmpdir(), 'afloat-charts-'));
  beforeAll(async () => {
    world = await open();
    for (const version of Object.keys(ledgerVersions)) {
      await writeLedgerChart(join(charts, version), version);
      world.takePackage(join(charts, version), 'ledger', version);
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
  const at = (version: string) => ({
    services: [{ name: 'ledger', version, values: place.values(world), valuesFrom: [cacheKey] }],
  });
  const find = async (apiVersion: string, kind: string, name: string) =>
    world.cluster.get({ apiVersion, kind, namespace: world.namespace, name });
  const names = async (apiVersion: string, kind: string) => {
    const { items } = await world.cluster.list({ apiVersion, kind }, { namespace: world.namespace });
    return items.map(({ metadata }) => metadata.name).filter(name => name.startsWith('ledger-')).sort();
  };
  const keys = async () => (await find('v1', 'Secret', 'ledger-keys'))['data'] as Record<string, string> | undefined;
  let first: Record<string, string> | undefined;

  test(
    'is installed: its set-up ran in its order, its empty Secret was filled, its test passed',
    async () => {
      await world.apply(at('1.0.0'));
      await world.untilFlowEnds('ledger', 'operational', 120);
      expect(await world.serving('ledger-api')).toMatchObject({ version: '1.0.0', setting: 'usual' });
      first = await keys();
      expect(Object.keys(first ?? {})).toEqual(['0', '1']);
      expect(await names('apps/v1', 'Deployment')).toEqual(['ledger-api-blue']);
    },
    storyMs,
  );

  test(
    'is upgraded beside itself: no request is lost, a pod of the old version keeps the old config, rotated keys stay',
    async () => {
      const load = await world.load('ledger-api');
      await world.cluster.patch(
        { apiVersion: 'v1', kind: 'Secret', namespace: world.namespace, name: 'ledger-keys' },
        { type: 'merge', value: { data: { 2: 'cm90YXRlZA==' } } },
      );
      await world.apply(at('1.1.0'));
      await world.untilSettled('ledger', 120);
      expect(await names('v1', 'ConfigMap')).toEqual(expect.arrayContaining(['ledger-bin-blue', 'ledger-bin-green']));
      await world.untilFlowEnds('ledger', 'operational', 120);
      await load.stop();
      expect(load.lastFailure).toBeUndefined();
      expect(load.counts().failed).toBe(0);
      expect(await world.serving('ledger-api')).toMatchObject({ version: '1.1.0', setting: 'newer' });
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
      expect(await world.serving('ledger-api')).toMatchObject({ version: '1.1.0' });
    },
    storyMs,
  );

  test(
    'is removed, but for its keys and its data',
    async () => {
      await world.apply({ services: [], removal: 'automatic' } as never);
      await world.approve(60);
      await world.untilFlowEnds('ledger', 'removed', 120);
      expect(await names('apps/v1', 'Deployment')).toEqual([]);
      expect(await names('v1', 'PersistentVolumeClaim')).toEqual(['ledger-data']);
      expect(Object.keys((await keys()) ?? {})).toHaveLength(3);
    },
    storyMs,
  );
}

/** What the tasks of the chart did, as `version task state`, from the file that they write beside the data. */
export function ledgerLines(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(line => line !== '');
  return lines.map(line => JSON.parse(line)).map(({ version, task, state }) => `${version} ${task} ${state}`);
}
