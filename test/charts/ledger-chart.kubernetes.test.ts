import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findHelm, missingForHelm } from '../../scripts/kubernetes/build/find-programs.ts';
import { lifecycleByRule } from '../../src/package/chart/lifecycle-by-rule.ts';
import { parseRendered } from '../../src/package/chart/parse-rendered.ts';
import { placeByRule } from '../../src/package/chart/place-by-rule.ts';
import { sliceByRule } from '../../src/package/chart/slice-by-rule.ts';
import { identityOf } from '../../src/package/object-kinds.ts';
import { ledgerImages, ledgerVersions, writeLedgerChart } from './write-ledger-chart.ts';

const run = promisify(execFile);
const source = join(import.meta.dirname, 'ledger');
const missing = await missingForHelm();

describe.skipIf(missing !== undefined)(
  'the chart in the style of openstack-helm',
  { timeout: 180_000 },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'afloat-ledger-'));
    const chartOf = (version: string) => join(folder, version);
    let helm = '';
    const call = async (...words: readonly string[]) => (await run(helm, [...words])).stdout;
    const render = async (chart: string, ...words: readonly string[]) => {
      const text = await call('template', 'ledger', chart, '-n', 'openstack', ...words);
      const { objects, findings } = parseRendered(text, 'ledger');
      expect(findings).toEqual([]);
      return objects;
    };
    const fixed = ['--set', 'conf.cache_secret_key=fixed'];

    const decide = async (version: string) => {
      const placed = placeByRule(await render(chartOf(version), ...fixed));
      const sliced = sliceByRule(placed.placed);
      const { lifecycle, notes } = lifecycleByRule({
        service: 'ledger',
        version,
        placed: placed.placed,
        sliced,
      });
      return { placed, sliced, lifecycle, notes };
    };

    beforeAll(async () => {
      helm = await findHelm(() => {});
      for (const version of Object.keys(ledgerVersions)) await writeLedgerChart(chartOf(version), version);
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    test.each(['as it lies in the tree', ...Object.keys(ledgerVersions)])(
      'is without fault: %s',
      async version => {
        const chart = Object.hasOwn(ledgerVersions, version) ? chartOf(version) : source;
        expect(await call('lint', '--strict', chart)).toContain('0 chart(s) failed');
      },
    );

    test('is the same whether its library is packed or lies there', async () => {
      expect(await render(chartOf('1.0.0'), ...fixed)).toEqual(await render(source, ...fixed));
    });

    test('invents a value at random, as such charts do', async () => {
      expect(await render(source)).not.toEqual(await render(source));
    });

    test('names images that are known on a machine without a container engine', async () => {
      for (const version of Object.keys(ledgerVersions)) {
        const chart = await call('show', 'chart', chartOf(version));
        for (const image of ledgerImages(chartOf(version))) expect(chart).toContain(`"${image}"`);
      }
    });

    test('has every object in its phases, in order, sliced or not, with the reason', async () => {
      const { sliced, placed, notes } = await decide('1.0.0');
      const lines = sliced.objects.map(({ chartObject: { object }, role, phases, moment, ...one }) => {
        const { kind, name } = identityOf(object);
        const when = moment === 'after' ? ' (after the software)' : '';
        const head = `${String(one.order).padStart(2)} ${kind} ${name}`;
        return [
          head,
          `     ${role}: ${phases.join(' ')}${when}: ${one.because}`,
          `     ${one.slice}: ${one.sliceBecause}`,
        ];
      });
      const strategies = `strategies: ${sliced.strategies.join(', ')}`;
      const text = [...lines.flat(), '', strategies, ...sliced.notes, ...notes, ''].join('\n');
      expect(placed.unplaced).toEqual([]);
      await expect(text).toMatchFileSnapshot('testdata/ledger-1.0.0.txt');
    });

    test('can be bluegreen from one version to the next, for its migration stays the same', async () => {
      const all = await Promise.all(['1.0.0', '1.1.0', '1.1.1'].map(decide));
      expect(all.map(({ lifecycle }) => lifecycle.strategy)).toEqual(['bluegreen', 'bluegreen', 'bluegreen']);
      expect(new Set(all.map(({ lifecycle }) => lifecycle.data[0]?.head)).size).toBe(1);
      expect(all[0]?.lifecycle).toMatchObject({
        traffic: { service: 'ledger-api', port: 8080 },
        data: [
          {
            ...{ name: 'ledger', migrate: { sync: 'job/ledger-db-sync' }, backup: 'job/ledger-db-backup' },
            ...{ verify: 'job/ledger-db-verify', restore: 'job/ledger-db-restore' },
          },
        ],
        keep: ['secret/ledger-keys', 'persistentvolumeclaim/ledger-data'],
      });
    });

    test('has another schema where its migration is another', async () => {
      const before = await decide('1.0.0');
      await writeLedgerChart(chartOf('2.0.0'), '2.0.0', { schema: '2.0.0' });
      const after = await decide('2.0.0');
      expect(after.lifecycle.data[0]?.head).not.toBe(before.lifecycle.data[0]?.head);
    });

    test.each([
      ['bootstrap.enabled=true', 'Job ledger-bootstrap', { phases: ['install', 'upgrade'], moment: 'after' }],
      ['manifests.job_db_drop=true', 'Job ledger-db-drop', { phases: ['delete'], use: 'drop' }],
      ['manifests.network_policy=true', 'NetworkPolicy ledger', { role: 'workload' }],
    ])('brings more with %s', async (value, wanted, place) => {
      const { placed } = placeByRule(await render(source, '--set', value));
      const found = placed.find(({ chartObject: { object } }) => {
        const { kind, name } = identityOf(object);
        return `${kind} ${name}` === wanted;
      });
      expect(found).toMatchObject(place);
    });
  },
);
