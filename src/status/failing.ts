import type { Impact } from '../api/fields.ts';
import { impacts } from '../api/fields.ts';
import type { CloudObjects } from './cloud-objects.ts';
import { leadingFlow } from './leading-flows.ts';
import { sayMoment } from './moments.ts';
import type { FiveFacts, ServiceView, Serving, TwoImpacts } from './view.ts';
import { isWeak, sayWay, waysOf } from './ways.ts';

/** Services whose clients should be served and are not. */
export function unserved(serving: readonly Serving[]): Serving[] {
  return serving.filter(({ by, expected }) => expected && by.length === 0);
}

/** Whether requests fail, from what is known: who has traffic, whether anybody answers there, and what the routers counted. */
export function failingFact(
  objects: CloudObjects,
  serving: readonly Serving[],
  services: readonly ServiceView[],
): FiveFacts['failing'] {
  const down = unserved(serving);
  const wrong = services.flatMap(service => failedRequests(service));
  const weak = services.flatMap(({ name }) => waysOf(objects, name).filter(isWeak).map(sayWay));
  const impact = impactNow(objects, serving, services, wrong.length + weak.length > 0);
  const available = objects.record?.status?.conditions?.find(({ type }) => type === 'Available');
  const told =
    available?.status === 'False' && available.reason !== 'NotThereYet' && down.length === 0
      ? [available.message ?? 'the cloud is not available']
      : [];
  const text = [...down.map(one => sayDown(one, objects.now)), ...wrong, ...told];
  if (text.length > 0) return { answer: 'yes', text: text.join('; '), impact };
  if (objects.record && objects.record.status?.observedGeneration === undefined)
    return { answer: 'unknown', text: 'no operator has looked at this record yet', impact };
  if (available?.status === 'Unknown')
    return {
      answer: 'unknown',
      text: available.message ?? 'nothing is known of the services',
      impact,
    };
  return { answer: 'no', text: ['no request is known to fail', ...weak].join('; '), impact };
}

function sayDown({ service, part = service, since }: Serving, now: string): string {
  return `every request to ${part} fails: nobody serves it${since === undefined ? '' : ` since ${sayMoment(since, now)}`}`;
}

/** What the router counted for the move that runs, or that was the last to watch traffic. */
function failedRequests({ name, flow }: ServiceView): string[] {
  const counted =
    flow?.state === 'ended' ? undefined : flow?.moves.findLast(({ traffic }) => traffic.length > 0);
  const failed = (counted?.traffic ?? []).filter(({ errors }) => errors > 0);
  return failed.map(
    ({ slice, requests, errors }) => `${errors} of ${requests} requests to ${name} failed on slice ${slice}`,
  );
}

/** What clients and workloads notice now, in two values. */
function impactNow(
  objects: CloudObjects,
  serving: readonly Serving[],
  services: readonly ServiceView[],
  isHurt: boolean,
): TwoImpacts {
  const down = new Set(unserved(serving).map(({ service }) => service));
  const touched = services.filter(
    ({ name, flow }) =>
      down.has(name) || (flow !== undefined && flow.state === 'running' && flow.moves.length > 1),
  );
  const planned = touched.map(({ name }) => leadingFlow(objects, name)?.spec.planned?.step.impact);
  return {
    api: down.size > 0 ? 'outage' : isHurt ? 'degraded' : 'none',
    workloads: worst(planned.map(impact => impact?.workloads ?? 'none')),
  };
}

function worst(found: readonly Impact[]): Impact {
  return impacts.findLast(impact => found.includes(impact)) ?? 'none';
}
