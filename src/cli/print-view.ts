import { shortDigest } from '../base/digest.ts';
import { sayDuration } from '../base/duration.ts';
import { type Paint, plainPaint } from '../base/paint.ts';
import { sayMoment } from '../status/moments.ts';
import type { FiveFacts, PlanView, ServiceView, Serving, View } from '../status/view.ts';
import { flowLines, progressOf } from './print-flow-view.ts';
import { printable } from './printable.ts';
import { tableLines } from './table-lines.ts';

/** A view as people read it: the five facts first, then every service, then the plan. `status` and `watch` print this. */
export function printView(view: View, paint: Paint = plainPaint): string {
  return `${viewLines(view, paint).join('\n')}\n`;
}

/** The same, line by line. */
export function viewLines(view: View, paint: Paint): string[] {
  const name =
    view.cloud === undefined
      ? 'No cloud here'
      : `Cloud ${view.cloud}${view.namespace === undefined ? '' : ` in namespace ${view.namespace}`}`;
  return [
    `${paint.strong(printable(name))}, ${sayMoment(view.at, '')}`,
    '',
    ...factLines(view, paint),
    ...(view.waits.length === 0
      ? []
      : [
          '',
          ...view.waits.map(
            wait =>
              `${paint.bad('Record')} ${paint.warn(printable(wait.reason))}: ${printable(wait.message)}`,
          ),
        ]),
    ...(view.services.length === 0 ? [] : ['', ...serviceLines(view, paint)]),
    ...(view.plan === undefined ? [] : ['', ...planLines(view.plan, view, paint)]),
  ];
}

const width = 'Safe until morning?'.length + 1;

/** A fact and its lines: the first beside its name, the others below. */
function fact(name: string, lines: readonly string[], paint: Paint): string[] {
  return lines.map((line, index) => `${paint.faint((index === 0 ? name : '').padEnd(width))} ${line}`);
}

function factLines({ facts, services, at }: View, paint: Paint): string[] {
  const { failing, safe, next, command } = facts;
  const impact = `API ${failing.impact.api}, workloads ${failing.impact.workloads}`;
  const answers = { yes: paint.bad('yes'), no: paint.good('no'), unknown: paint.warn('cannot tell') };
  return [
    ...fact('Serving now', servingLines(facts, services, at, paint), paint),
    ...fact('Requests fail?', [`${answers[failing.answer]}: ${printable(failing.text)} (${impact})`], paint),
    ...fact(
      'Safe until morning?',
      safe.because.map((line, index) =>
        index === 0
          ? `${safe.answer ? paint.good('yes') : paint.bad('no')}: ${printable(line)}`
          : printable(line),
      ),
      paint,
    ),
    ...fact('Next by itself', next.text.map(printable), paint),
    ...fact('Recommended', commandLines(command, paint), paint),
  ];
}

function commandLines(command: FiveFacts['command'], paint: Paint): string[] {
  if (!command) return ['nothing: no command is needed'];
  const takes =
    command.takesSeconds === 0 ? 'takes no time' : `takes about ${sayDuration(command.takesSeconds)}`;
  return [
    paint.strong(printable(command.line)),
    printable(`${takes}; costs: ${command.costs}`),
    printable(command.why),
  ];
}

/** Beyond so many services only those that something is going on with are named; the table has all of them. */
const mostNamed = 8;

function servingLines(
  { serving }: FiveFacts,
  services: readonly ServiceView[],
  now: string,
  paint: Paint,
): string[] {
  const due = serving.filter(({ by, expected }) => by.length > 0 || expected);
  if (due.length === 0) return ['nobody: nothing is installed'];
  const calm = new Set(services.filter(({ state }) => state === 'Operational').map(({ name }) => name));
  const named = due.length <= mostNamed ? due : due.filter(({ service }) => !calm.has(service));
  const rest = due.length - named.length;
  return [
    ...named.map(one => sayServing(one, now, paint)),
    ...(rest > 0
      ? [`${rest} ${named.length > 0 ? 'more ' : ''}services, each by the version in the table`]
      : []),
  ];
}

function sayServing({ service, part = service, by, since }: Serving, now: string, paint: Paint): string {
  if (by.length === 0)
    return paint.bad(
      printable(`${part}: nobody${since === undefined ? '' : ` since ${sayMoment(since, now)}`}`),
    );
  const versions = by.map(({ version = 'an unknown version', revision, slices, percent }) => {
    const more = [
      ...(percent === undefined ? [] : [`${percent} % of requests`]),
      ...(revision === undefined ? [] : [`revision ${revision}`]),
      ...(slices.length === 0 ? [] : [`slice ${slices.join(', ')}`]),
    ];
    return `${version}${more.length === 0 ? '' : ` (${more.join(', ')})`}`;
  });
  return printable(`${part} ${versions.join(' and ')}`);
}

function serviceLines({ services, at }: View, paint: Paint): string[] {
  const rows = services.map(service => [
    service.name,
    service.serves ?? '-',
    service.wanted ?? '-',
    service.state,
    service.flow?.phase ?? '-',
    progressOf(service, at),
  ]);
  const [head = '', ...lines] = tableLines(
    [['SERVICE', 'SERVES', 'WANTED', 'STATE', 'PHASE', 'PROGRESS'], ...rows.map(row => row.map(printable))],
    paint,
  );
  return [head, ...lines.flatMap((line, index) => [line, ...detailLines(services[index], paint)])];
}

function detailLines(service: ServiceView | undefined, paint: Paint): string[] {
  if (!service) return [];
  // What the move at work says stands beside the move.
  const waits = service.waits
    .filter(({ reason }) => reason !== 'PhaseRunning')
    .flatMap(({ reason, message, advice }) => [
      `    ${paint.warn(printable(reason))}: ${printable(message)}`,
      ...(advice === undefined ? [] : [`        ${paint.faint(printable(advice))}`]),
    ]);
  const losses = (service.flow?.question?.losses ?? []).map(line => `        ${printable(line)}`);
  return [...waits, ...losses, ...(service.flow ? flowLines(service.flow, paint) : [])];
}

function planLines(plan: PlanView, { at: now, services }: View, paint: Paint): string[] {
  const said = new Set(services.flatMap(({ waits }) => waits.map(({ message }) => message)));
  const { approval } = plan;
  const by = approval.by === undefined ? '' : `, approved by ${approval.by}`;
  const until = approval.expiresAt === undefined ? '' : ` until ${sayMoment(approval.expiresAt, now)}`;
  const impact = `API ${plan.impact.api}, workloads ${plan.impact.workloads}`;
  return [
    `${paint.strong(printable(`Plan ${plan.name}`))} ${shortDigest(plan.digest)}: ${plan.state}${printable(by)}${until}`,
    `    ${plan.done} of ${plan.steps === 1 ? '1 step' : `${plan.steps} steps`} done; about ${sayDuration(plan.estimateSeconds)} in all; ${impact}`,
    ...(approval.needed && approval.missing.length > 0
      ? [`    ${paint.warn(printable(`needs consent: ${approval.missing.join(', ')}`))}`]
      : []),
    ...plan.waits
      .filter(({ service, message }) => service === undefined && !said.has(message))
      .map(({ message }) => `    ${paint.warn(printable(message))}`),
  ];
}
