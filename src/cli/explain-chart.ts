import { shortDigest } from '../base/digest.ts';
import type { RenderedChart } from '../package/chart/render-chart.ts';
import type { PackageNote, ServicePackage } from '../package/package.ts';
import type { Explained } from './explain-walk.ts';

/** What Afloat makes of a chart: every object with its place in the order, its phases, its slice rule and the reasons; and what has no place. */
export function explainChart(
  pkg: ServicePackage,
  { sliced, unplaced }: NonNullable<RenderedChart['decided']>,
): Explained {
  const { lifecycle, digest, notes = [] } = pkg;
  const objects = sliced.objects.map(one => ({
    order: one.order + 1,
    object: nameOf(one.chartObject.object),
    file: one.chartObject.file,
    ...(one.component === undefined ? {} : { component: one.component }),
    role: one.role,
    phases: one.phases,
    ...(one.moment === undefined ? {} : { moment: one.moment }),
    because: one.because,
    slice: one.slice,
    sliceBecause: one.sliceBecause,
  }));
  const left = unplaced.map(({ chartObject, because }) => ({
    object: nameOf(chartObject.object),
    file: chartObject.file,
    because,
  }));
  // What has no place is told below in its own words.
  const told = notes.filter(({ message }) => !left.some(one => message.endsWith(one.because)));
  const lines = [
    `${lifecycle.service} ${lifecycle.version}: a Helm chart, ${lifecycle.tier}, ${lifecycle.strategy}, digest ${shortDigest(digest)}`,
    `  strategies that remain: ${sliced.strategies.join(', ')}`,
    ...lifecycle.data.map(data => `  database ${data.name}, schema ${data.head ?? lifecycle.version}`),
    ...(lifecycle.traffic ? [`  clients use the Service ${lifecycle.traffic.service}`] : []),
    ...objects.flatMap(one => [
      `  ${one.order}. ${one.object} of ${one.file}`,
      `     ${one.role}: ${one.phases.join(', ')}${one.moment === 'after' ? ', when the software is ready' : ''}; ${one.because}`,
      `     ${one.slice}: ${one.sliceBecause}`,
    ]),
    ...left.map(one => `  not placed: ${one.object} of ${one.file}: ${one.because}`),
    ...told.map(one => `  note: ${sayNote(one)}`),
  ];
  return {
    text: `${lines.join('\n')}\n`,
    value: {
      ...{ service: lifecycle.service, version: lifecycle.version, digest, lifecycle },
      ...{ strategies: sliced.strategies, objects, unplaced: left, notes: told },
    },
  };
}

function sayNote({ message, file, line }: PackageNote): string {
  return file === undefined ? message : `${file}${line === undefined ? '' : `:${line}`}: ${message}`;
}

function nameOf(object: Readonly<Record<string, unknown>>): string {
  const metadata = object['metadata'];
  const name = typeof metadata === 'object' && metadata !== null && 'name' in metadata ? metadata.name : '';
  return `${String(object['kind'])}/${String(name)}`;
}
