import { type Finding, finding } from '../../api/finding.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ChartRenderer } from '../../package/chart/chart-renderer.ts';
import { renderChart } from '../../package/chart/render-chart.ts';
import { identityKey, referenceOf } from '../../package/object-kinds.ts';
import type { ServicePackage } from '../../package/package.ts';
import { chartWishOf } from '../../package/part-contexts.ts';
import type { Rendered } from '../../package/render.ts';
import { sliceMark } from '../../phase/object/slices.ts';
import type { ResolvedRecord, ResolvedService } from '../../record/record.ts';

/** What a chart is rendered with for the cluster. */
export interface RealValues {
  readonly record: ResolvedRecord;
  readonly service: ResolvedService;
  /** Those of the record, with what Secrets and ConfigMaps hold. */
  readonly values: JsonObject;
  readonly charts: ChartRenderer | undefined;
}

/** The package with its chart rendered for the cluster, with its secrets; one that is no chart stays what it is. Its life stays as planned. */
export async function fillChart(
  pkg: ServicePackage,
  planned: ServicePackage,
  { record, service, values, charts }: RealValues,
): Promise<ServicePackage | { readonly findings: readonly Finding[] }> {
  if (!pkg.chart) return pkg;
  const wish = { ...chartWishOf(record, service, pkg), values, standIns: [], use: 'real' } as const;
  const rendered = await renderChart(pkg, wish, charts);
  if (!rendered.package) return { findings: rendered.findings };
  return { ...rendered.package, lifecycle: planned.lifecycle };
}

/** What secret values bring or take away is in no plan: nobody approved it, and nobody would find it again. Tasks have names of ours. */
export function notShown(pkg: ServicePackage, real: Rendered, shown: Rendered): Finding[] {
  const keysOf = ({ objects }: Rendered, slice: string) =>
    new Map(
      objects.flatMap(one =>
        one.role === 'task' ? [] : [[identityKey(one.object).replaceAll(slice, '${slice}'), one] as const],
      ),
    );
  const [are, were] = [keysOf(real, sliceMark), keysOf(shown, '${slice}')];
  const differ = [...are]
    .filter(([key]) => !were.has(key))
    .concat([...were].filter(([key]) => !are.has(key)));
  return differ.map(([, { object, file }]) => {
    const message = `${referenceOf(object)} depends on values that come from a Secret or ConfigMap, so that the plan could not show it`;
    const advice = 'Set what switches it on or off in the record, under `values`.';
    return finding('RuleBroken', message, { file: `${pkg.location}/${file}` }, advice);
  });
}
