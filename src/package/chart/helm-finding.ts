import { type Finding, finding, type Place } from '../../api/finding.ts';
import type { BoundedEnd } from '../bounded-process.ts';
import { ownHelm } from './find-helm.ts';
import type { HelmBounds } from './helm-process.ts';

/** What is told of a chart that could not be rendered. */
export interface FailedChart {
  /** Where the chart was read from. */
  readonly location: string;
  readonly bounds: HelmBounds;
  /** Whether values of Secrets went in: what Helm says may then quote them, and is not repeated. */
  readonly isSecret: boolean;
}

/** Says that there is no Helm, and how to get it. */
export function helmMissing(location: string): Finding {
  const message = `package ${location} is a Helm chart, and there is no Helm here to render it`;
  const advice = `Put \`helm\` on the PATH, name it in AFLOAT_HELM, or run \`make helm\`, which puts it at ${ownHelm()}.`;
  return finding('HelmMissing', message, { file: location }, advice);
}

/** Why Helm gave nothing, with the file and line of the chart where Helm tells. */
export function helmFinding(end: Exclude<BoundedEnd, { kind: 'done' }>, chart: FailedChart): Finding {
  const { location, bounds } = chart;
  const beyond = (what: string) => finding('ChartTooMuch', `chart ${location} ${what}`, { file: location });
  const most = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MiB`;
  if (end.kind === 'late') return beyond(`is not rendered after ${bounds.seconds} seconds`);
  if (end.kind === 'too-much') return beyond(`renders to more than ${most(bounds.answerBytes)}`);
  if (end.kind === 'absent') return helmMissing(location);
  if (isOutOfMemory(end))
    return beyond(`needs more than ${most(bounds.memoryBytes)} of memory to be rendered`);
  return refusal(end.errors, chart);
}

/** Go says so by itself, or is ended by the system. */
function isOutOfMemory({ errors, signal }: Extract<BoundedEnd, { kind: 'failed' }>): boolean {
  return (
    signal === 'SIGKILL' ||
    /out of memory|cannot allocate memory|stack overflow|exceeds \d+-byte limit/i.test(errors)
  );
}

/** `keystone/templates/api.yaml:12:7`, as Helm names places of a chart: its name comes first. */
const place = /([\w.-]+)\/((?:[\w.@+ -]+\/)*[\w.@+ -]+\.\w+):(\d+)(?::(\d+))?/;
const file = /on ([\w.-]+)\/((?:[\w.@+ -]+\/)*[\w.@+ -]+\.\w+):/;

function refusal(errors: string, { location, isSecret }: FailedChart): Finding {
  const said = errors.slice(Math.max(0, errors.indexOf('Error: '))).replace(/^Error: /, '');
  const first = place.exec(said) ?? file.exec(said);
  const [, , path, line, column] = first ?? [];
  const at: Place = {
    file: path === undefined ? location : `${location}/${path}`,
    ...(line === undefined ? {} : { line: Number(line) }),
    ...(column === undefined ? {} : { column: Number(column) }),
  };
  const why = isSecret ? 'what Helm says of it may hold secret values and is not shown' : lastWords(said);
  const advice = isSecret ? 'Render it with `helm template` and the same values to see why.' : undefined;
  return finding('ChartRefused', `Helm cannot render chart ${location}: ${why}`, at, advice);
}

/** A chain of templates ends in what went wrong; all of it would be pages. */
function lastWords(said: string): string {
  const text = said.replace(/\n\nUse --debug flag[\s\S]*$/, '').trim();
  const cause = /^template: [\s\S]*>: (?:error calling \w+: )*([\s\S]*)$/.exec(text)?.[1] ?? text;
  const line = cause.replace(/\s+/g, ' ').replace(/\p{Cc}/gu, ' ');
  return line === '' ? 'it did not say why' : line.length > 400 ? `${line.slice(0, 397)}...` : line;
}
