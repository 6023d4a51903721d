import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedCluster } from '../../cluster/embedded/embedded-cluster.ts';
import { Reconciling } from '../../reconcile/reconcile.ts';
import { SkippingClock } from './contract/skipping-clock.contract.ts';
import { workloadContract } from './contract/workload-stories.contract.ts';
import { workloadControllers } from './workload-controllers.ts';

workloadContract('our controllers on the embedded cluster', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'afloat-workload-'));
  const clock = new SkippingClock();
  const cluster = await EmbeddedCluster.open(folder, { clock });
  const namespace = 'workloads';
  await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const stop = new AbortController();
  const reconciling = new Reconciling(cluster, { signal: stop.signal, clock });
  const controllers = workloadControllers(reconciling, clock);
  await reconciling.start();
  for (const controller of controllers) reconciling.run(controller);
  return {
    cluster,
    namespace,
    now: () => clock.wall(),
    async untilMinute(minute) {
      clock.skip(Math.max(0, minute * 60_000 - clock.wall()));
    },
    async close() {
      stop.abort();
      await reconciling.ended();
      await cluster.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
