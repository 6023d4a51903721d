import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findHelm } from '../scripts/kubernetes/build/find-programs.ts';
import { withChartFolder } from '../src/package/chart/chart-folder.ts';
import { HelmRenderer } from '../src/package/chart/helm-renderer.ts';
import { renderChart } from '../src/package/chart/render-chart.ts';
import { readPackage } from '../src/package/read-package.ts';
import { type Bench, type BenchSize, type Measure, measured, medianTimes } from './measure.ts';
import { benchChart } from './render/bench-chart.ts';

const run = promisify(execFile);

/** A chart as large as openstack-helm's: rendered twice, compared, read, put into phases and slices, against Helm alone. */
export const bench: Bench = {
  name: 'render',
  async *run(size: BenchSize): AsyncIterable<Measure> {
    const helm = await findHelm(line => process.stderr.write(`${line}\n`));
    const files = benchChart();
    const { package: pkg } = readPackage(files, 'bench');
    if (!pkg) throw new Error('the chart of this benchmark cannot be read');
    const home = await mkdtemp(join(tmpdir(), 'afloat-bench-'));
    try {
      const wish = { namespace: 'openstack', values: {}, shared: {}, standIns: [] };
      const ours = (use: 'planned' | 'real') => async () => {
        // A new one each time: it would remember.
        const { findings } = await renderChart(
          pkg,
          { ...wish, use },
          new HelmRenderer({ find: async () => helm }),
        );
        if (findings.length > 0) throw new Error(findings[0]?.message);
      };
      const floor = () =>
        withChartFolder(files, ({ chart }) =>
          run(helm, ['template', 'bench', chart, '--namespace', 'openstack', '--include-crds'], {
            env: { HOME: home },
            maxBuffer: 64 * 1024 ** 2,
          }),
        );
      const runs = size === 'full' ? 41 : 7;
      const real = await medianTimes(runs, ours('real'), floor);
      yield measured({
        ...{ measure: 'render and classify a chart for the cluster', value: real.ours, unit: 'ms' },
        ...{ against: 'helm template', floor: real.floor, goal: 1.2 },
      });
      const planned = await medianTimes(runs, ours('planned'), floor);
      yield measured({
        ...{
          measure: 'render and classify a chart for a plan, twice and compared',
          value: planned.ours,
          unit: 'ms',
        },
        ...{ against: 'helm template', floor: planned.floor, goal: 2.2 },
      });
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  },
};
