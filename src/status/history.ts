import type { OslcStatus } from '../api/oslc.ts';
import { compareText } from '../base/json.ts';
import { type CloudObjects, revisionsOf } from './cloud-objects.ts';
import { endFacts } from './end-facts.ts';
import { secondsBetween } from './moments.ts';
import { sayBecause } from './name-of-wait.ts';

/** One thing that happened to a service: a flow that ended, and the revision it left where it left one. */
export interface HistoryEntry {
  /** When it was done, or ended otherwise; empty where nobody kept it. */
  readonly at: string;
  readonly service: string;
  readonly flow: string;
  readonly from?: string;
  readonly to?: string;
  readonly revision?: number;
  readonly end: string;
  readonly says: string;
  readonly seconds?: number;
  readonly by?: string;
  readonly plan?: string;
}

/** What happened, the newest first. Flows are forgotten after a while; their revisions are kept longer and stand in for them. */
export function historyOf(objects: CloudObjects, service?: string): HistoryEntry[] {
  const flows = objects.flows.flatMap((flow): HistoryEntry[] => {
    const { spec, status } = flow;
    // What is settled has happened; its soak changes nothing about that.
    const end = status?.end ?? (status?.settledAt === undefined ? undefined : 'operational');
    if (!status || end === undefined) return [];
    const step = spec.planned?.step;
    const seconds = secondsBetween(status.startedAt, status.settledAt ?? status.finishedAt);
    const why = sayBecause(flow);
    const because = why === undefined ? '' : `: ${why}`;
    return [
      {
        at: (end === 'operational' ? settledAt(objects, spec.serviceName, status) : status.finishedAt) ?? '',
        service: spec.serviceName,
        flow: step?.flow ?? spec.flowKind,
        ...known('from', step?.from?.version),
        ...known('to', step?.to?.version),
        ...known('revision', status.revision),
        end,
        says: `${endFacts[end].says}${endFacts[end].held ? because : ''}`,
        ...known('seconds', seconds),
        ...known('by', spec.planned?.by),
        ...known('plan', spec.planned?.plan),
      },
    ];
  });
  const told = new Set(flows.map(entry => `${entry.service} ${entry.revision}`));
  const names = [...new Set(objects.revisions.map(({ spec }) => spec.service))];
  const older = names
    .flatMap(name => revisionEntries(objects, name))
    .filter(entry => !told.has(`${entry.service} ${entry.revision}`));
  return [...flows, ...older]
    .filter(entry => service === undefined || entry.service === service)
    .sort((a, b) => compareText(b.at, a.at) || compareText(a.service, b.service));
}

/** When it was done: when its revision was made, which is what is left when the flow is forgotten, so that the time never changes. */
function settledAt(objects: CloudObjects, service: string, status: OslcStatus): string | undefined {
  const revision = revisionsOf(objects, service).find(({ spec }) => spec.number === status.revision);
  return revision?.metadata.creationTimestamp ?? status.settledAt ?? status.finishedAt;
}

function revisionEntries(objects: CloudObjects, name: string): HistoryEntry[] {
  return revisionsOf(objects, name).map(({ metadata, spec }, index, all) => ({
    at: metadata.creationTimestamp ?? '',
    service: name,
    flow: spec.flow,
    ...known('from', all[index - 1]?.spec.version),
    to: spec.version,
    revision: spec.number,
    end: 'operational',
    says: endFacts.operational.says,
    ...(spec.phaseTimes.length === 0
      ? {}
      : { seconds: spec.phaseTimes.reduce((sum, { seconds }) => sum + seconds, 0) }),
    ...known('by', spec.by),
    ...known('plan', spec.plan),
  }));
}

function known<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
}
