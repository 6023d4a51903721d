/**
 * The manager of one machine is killed fifty times while everything goes on, half of them in each isolation: a Deployment is rolled, scaled,
 * paused and resumed under load, two hundred Jobs run and some of them badly. Nothing is done twice, nothing is left, no exit code is lost, no
 * request fails.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { StoredObject } from '../../src/cluster/cluster.ts';
import { takeDownRuntime } from '../../src/runtime/take-down.ts';
import { type BundledManager, bundleManager } from '../../src/testing/bundle-manager.ts';
import { ClientLoad } from './runtime/client-load.ts';
import {
  badJobs,
  deployment,
  images,
  job,
  namespace,
  service,
  webTemplate,
} from './runtime/journey-objects.ts';
import { ManagedRuntime } from './runtime/managed-runtime.ts';
import { processesWith } from './runtime/our-processes.ts';

/** In each of the two. */
const kills = 25;
const quickJobs = 100;
const minutes = 60_000;

const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: 'web' };
const statusOf = (object: StoredObject | undefined) => (object?.['status'] ?? {}) as JsonObject;

let bundled: BundledManager;
beforeAll(async () => {
  bundled = await bundleManager(join(import.meta.dirname, 'runtime/manager.ts'));
  return bundled.remove;
}, minutes);

describe.each(['loopback', 'namespaces'] as const)(
  'a manager killed at any moment, Pods with %s',
  isolation => {
    const isPossible = isolation === 'loopback' || process.getuid?.() === 0;
    let runtime: ManagedRuntime;
    let load: ClientLoad;
    let killing: Promise<number>;
    let isKilling = false;

    /**
     * Waits for something, and says for what when it does not come. Time counts only while nobody kills: on a busy machine a manager that lives
     * for a moment does nothing in it but start.
     */
    async function until(what: string, isSo: () => Promise<boolean>, seconds = 300): Promise<void> {
      let end = Date.now() + seconds * 1000;
      while (!(await isSo())) {
        if (isKilling) end = Date.now() + seconds * 1000;
        else if (Date.now() > end) throw new TypeError(`not within ${seconds} s: ${what}`);
        await sleep(100);
      }
    }

    beforeAll(async () => {
      if (!isPossible) return;
      runtime = new ManagedRuntime(bundled.program, isolation);
      await runtime.start();
      for (const object of [images, service, deployment]) await runtime.create(object);
      await until(
        'the web server is ready',
        async () => statusOf(await runtime.get(web))['readyReplicas'] === 2,
      );
      const address = (await runtime.get({ apiVersion: 'v1', kind: 'Service', namespace, name: 'web' }))?.[
        'spec'
      ];
      load = new ClientLoad(String((address as JsonObject)['clusterIP']), 80);
      isKilling = true;
      killing = killOnAndOn();
    }, 2 * minutes);

    afterAll(async () => {
      if (!isPossible) return;
      await runtime.kill();
      await takeDownRuntime(runtime.folder);
      runtime.removeFolder();
    }, minutes);

    async function killOnAndOn(): Promise<number> {
      const [waits = []] = fc.sample(
        fc.array(fc.integer({ min: 50, max: 1500 }), { minLength: kills, maxLength: kills }),
        1,
      );
      for (const wait of waits) {
        await sleep(wait);
        await runtime.kill();
        await runtime.start();
      }
      isKilling = false;
      return waits.length;
    }

    /** Every replica is of this template, ready, and nothing else is there. */
    const isRolledOut = (replicas: number) => async () => {
      const object = await runtime.get(web);
      const status = statusOf(object);
      return (
        status['observedGeneration'] === object?.metadata.generation &&
        ['replicas', 'updatedReplicas', 'availableReplicas'].every(field => status[field] === replicas)
      );
    };

    test('rolls, scales, pauses and resumes while clients are served', {
      concurrent: true,
      skip: !isPossible,
      timeout: 12 * minutes,
    }, async () => {
      for (let round = 2; isKilling; round++) {
        await runtime.merge(web, { spec: { template: webTemplate(`${round}`), replicas: 2 } });
        await until(`version ${round} is rolled out`, isRolledOut(2));
        await runtime.merge(web, { spec: { paused: true, template: webTemplate(`${round}b`) } });
        await runtime.merge(web, { spec: { replicas: 3 } });
        await until(
          'it is scaled while paused',
          async () => statusOf(await runtime.get(web))['availableReplicas'] === 3,
        );
        await runtime.merge(web, { spec: { paused: false } });
        await until(`version ${round}b is rolled out`, isRolledOut(3));
      }
      expect(await killing).toBe(kills);
    });

    test('runs each of a hundred Jobs once, and knows how each ended', {
      concurrent: true,
      skip: !isPossible,
      timeout: 12 * minutes,
    }, async () => {
      const ledger = join(runtime.folder, 'ledger');
      const names = Array.from({ length: quickJobs }, (_, index) => `quick-${index}`);
      for (const [index, name] of names.entries()) {
        await runtime.create(
          job(name, `echo ${name} >> ${ledger}; sleep 0.${index % 10}; exit ${index % 4}`),
        );
      }
      const ended = async () => {
        const { items } = await runtime.list({ apiVersion: 'batch/v1', kind: 'Job' }, { namespace });
        return items.filter(({ metadata, ...rest }) => {
          const conditions = ((rest['status'] as JsonObject)?.['conditions'] ?? []) as JsonObject[];
          return (
            metadata.name.startsWith('quick-') &&
            conditions.some(({ type }) => type === 'Complete' || type === 'Failed')
          );
        }).length;
      };
      await until('every Job has ended', async () => (await ended()) === quickJobs);
      const { items: pods } = await runtime.list(
        { apiVersion: 'v1', kind: 'Pod' },
        { namespace, labelSelector: 'task' },
      );
      const codes = new Map(pods.map(pod => [String(pod.metadata.labels?.['task']), exitCodeOf(pod)]));
      expect(names.map(name => codes.get(name))).toEqual(names.map((_, index) => index % 4));
      const lines = existsSync(ledger) ? readFileSync(ledger, 'utf8').trim().split('\n') : [];
      expect(lines.toSorted()).toEqual(names.toSorted());
    });

    test('ends Jobs of every bad habit as documented, and leaves no child', {
      concurrent: true,
      skip: !isPossible,
      timeout: 12 * minutes,
    }, async () => {
      const mark = `bad-${isolation}-${process.pid}`;
      for (const { object } of badJobs(mark)) await runtime.create(object);
      for (const { says, object, ends } of badJobs(mark)) {
        const ref = { apiVersion: 'batch/v1', kind: 'Job', namespace, name: String(object.metadata.name) };
        const isEnded = async () => {
          const conditions = (statusOf(await runtime.get(ref))['conditions'] ?? []) as JsonObject[];
          return conditions.some(({ type, reason }) => (type === 'Failed' ? reason === ends : type === ends));
        };
        await until(`a Job that ${says} ends with ${ends}`, isEnded);
      }
      await until('no child is left', async () => processesWith(mark).length === 0);
    });

    test('has not failed one request, and leaves nothing when it is taken down', {
      skip: !isPossible,
      timeout: 12 * minutes,
    }, async () => {
      await killing;
      await load.end();
      expect(load.failures).toEqual({});
      expect(load.answered).toBeGreaterThan(1000);
      await runtime.stop();
      await takeDownRuntime(runtime.folder);
      expect(processesWith(runtime.folder)).toEqual([]);
    });
  },
);

function exitCodeOf(pod: StoredObject): number | undefined {
  const [status] = (statusOf(pod)['containerStatuses'] ?? []) as {
    state?: { terminated?: { exitCode: number } };
  }[];
  return status?.state?.terminated?.exitCode;
}
