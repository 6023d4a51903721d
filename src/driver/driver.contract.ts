/**
 * What drivers must tell of real objects: Jobs that complete, fail, cannot start or hang, workloads that roll out, crash or wait, and what
 * becomes of objects that are not ours.
 *
 * How a world plugs in: implement `DriverWorld` and call, in a test file, `driverContract('the embedded world', async () => startWorld())`.
 * All cases share that world, many at a time, each in a namespace of its own.
 */
import { afterAll, beforeAll, describe, test, vi } from 'vitest';
import { DriverCase, type DriverCases, type DriverWorld } from './contract/driver-case.contract.ts';
import { jobCases } from './contract/job.contract.ts';
import { objectCases } from './contract/object.contract.ts';
import { quotaCases } from './contract/quota.contract.ts';
import { workflowCases } from './contract/workflow.contract.ts';
import { workloadCases } from './contract/workload.contract.ts';
import type { Drivers, PodLogs } from './driver.ts';
import { openDrivers } from './open-drivers.ts';

const topics: Readonly<Record<string, DriverCases>> = {
  'tasks that run once': jobCases,
  'workloads that go on': workloadCases,
  'objects of any kind': objectCases,
  quotas: quotaCases,
  workflows: workflowCases,
};

/** Holds the drivers to the contract in a world: one vitest suite of that name. */
export function driverContract(name: string, start: () => Promise<DriverWorld>): void {
  // Waiting is nearly all that cases do.
  vi.setConfig({ maxConcurrency: 12 });
  describe.concurrent(name, () => {
    let world: DriverWorld;
    let drivers: Drivers;
    beforeAll(async () => {
      world = await start();
      drivers = openDrivers({ cluster: world.cluster, logs: podLogs(world) });
    }, 1_200_000);
    afterAll(() => world?.close(), 120_000);
    for (const [topic, cases] of Object.entries(topics)) {
      describe(topic, () => {
        for (const [sentence, check] of Object.entries(cases)) {
          test(sentence, { timeout: 300_000 }, async ({ skip }) => {
            if (topic === 'quotas' && !world.hasQuotas) skip('this world has no quotas');
            const namespace = await world.makeNamespace();
            try {
              await check(new DriverCase(world, drivers, namespace));
            } finally {
              await world.cluster.delete({ apiVersion: 'v1', kind: 'Namespace', name: namespace });
            }
          });
        }
      });
    }
  });
}

function podLogs(world: DriverWorld): PodLogs {
  return {
    async tail(of, lines) {
      const text = await world.logs(of);
      return text.trimEnd().split('\n').slice(-lines).join('\n');
    },
  };
}
