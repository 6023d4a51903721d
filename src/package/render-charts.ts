import type { ResolvedRecord } from '../record/record.ts';
import type { ChartRenderer } from './chart/chart-renderer.ts';
import { renderChart } from './chart/render-chart.ts';
import { chartWishOf } from './part-contexts.ts';
import type { ReadPackages } from './read-packages.ts';

/**
 * The packages of a record with those that are charts rendered as planning sees them: without secrets, and with chance told apart. One that
 * cannot be rendered is refused as one that cannot be read.
 */
export async function renderCharts(
  record: ResolvedRecord,
  read: Pick<ReadPackages, 'packages' | 'refused'>,
  charts: ChartRenderer | undefined,
): Promise<ReadPackages> {
  const all = await Promise.all(
    [...read.packages].map(async ([key, pkg]) => {
      const service = record.services.find(({ name }) => name === pkg.lifecycle.service);
      if (!service || !pkg.chart) return { key, service, package: pkg, findings: [] };
      return { key, service, ...(await renderChart(pkg, chartWishOf(record, service, pkg), charts)) };
    }),
  );
  const failed = all.flatMap(({ service, findings }) =>
    findings.map(found => ({ service: service?.name ?? '', finding: found })),
  );
  const refused = [...read.refused, ...failed];
  return {
    packages: new Map(all.flatMap(({ key, package: pkg }) => (pkg ? [[key, pkg] as const] : []))),
    findings: refused.map(one => one.finding),
    refused,
  };
}
