import { expect } from 'vitest';
import type { DriverCases } from './driver-case.contract.ts';
import { untilTold } from './driver-case.contract.ts';

/** For worlds that have quotas. */
export const quotaCases: DriverCases = {
  'what a quota refuses is stuck, and the quota is named': async run => {
    await run.apply(run.object('ResourceQuota', 'none', { spec: { hard: { pods: '0' } } }));
    await run.eventually(
      'the quota is in force',
      async () =>
        run.cluster.get({ apiVersion: 'v1', kind: 'ResourceQuota', name: 'none', namespace: run.namespace }),
      quota => JSON.stringify(quota['status'] ?? {}).includes('"used":{"pods"'),
    );
    const objects = [
      run.job('job', run.runs('exit 0')),
      run.workload('Deployment', 'web', run.runs(untilTold)),
      run.workload('StatefulSet', 'store', run.runs(untilTold), { serviceName: 'store' }),
      run.workload('DaemonSet', 'agent', run.runs(untilTold)),
    ];
    for (const object of objects) {
      const report = await run.becomes(object, 'stuck', 'FailedCreate');
      expect(report.message).toContain('exceeded quota: none');
    }
  },
  'a Deployment that is healed is done': async run => {
    const quota = (pods: string) => run.object('ResourceQuota', 'small', { spec: { hard: { pods } } });
    await run.apply(quota('1'));
    const web = run.workload('Deployment', 'web', run.runs(untilTold), { replicas: 2 });
    await run.becomes(web, 'stuck', 'FailedCreate');
    await run.apply(quota('4'));
    await run.until(web, 'done');
  },
};
