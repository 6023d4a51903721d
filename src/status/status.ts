/**
 * Status: what a person is shown of one cloud.
 *
 * In: `CloudObjects`, the objects of one namespace and the time. Out: `View`, with the five facts first. Never: reads a clock
 * or a cluster, decides what is done, or shows what is not in the objects.
 */
import { type CloudObjects, newestPlan } from './cloud-objects.ts';
import { failingFact } from './failing.ts';
import { nameOfRecordWait } from './name-of-wait.ts';
import { nextFact } from './next-by-itself.ts';
import { planView } from './plan-view.ts';
import { recommend } from './recommend.ts';
import { safetyFact } from './safety.ts';
import { serviceNames, serviceView } from './service-view.ts';
import { answeringOf } from './serving.ts';
import type { View } from './view.ts';

/** What a person is shown, computed once: whoever prints, sends or draws it computes nothing. */
export function viewOf(objects: CloudObjects): View {
  const { record, now } = objects;
  const names = serviceNames(objects);
  const serving = names.flatMap(name => answeringOf(objects, name));
  const services = names.map(name => serviceView(objects, name));
  const failing = failingFact(objects, serving, services);
  const command = recommend(objects, services, failing);
  const plan = newestPlan(objects);
  const recordWait = nameOfRecordWait(objects);
  return {
    ...(record === undefined ? {} : { cloud: record.metadata.name }),
    ...(record?.metadata.namespace === undefined ? {} : { namespace: record.metadata.namespace }),
    at: now,
    facts: {
      serving,
      failing,
      safe: safetyFact(objects, serving, services, failing),
      next: nextFact(objects, services),
      ...(command === undefined ? {} : { command }),
    },
    waits: recordWait === undefined ? [] : [recordWait],
    services,
    ...(plan === undefined ? {} : { plan: planView(plan, objects) }),
  };
}
