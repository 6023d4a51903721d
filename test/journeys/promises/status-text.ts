import { readCloud } from '../../../src/app/operate/read-cloud.ts';
import { printView } from '../../../src/cli/print-view.ts';
import type { CloudObjects } from '../../../src/status/cloud-objects.ts';
import { viewOf } from '../../../src/status/status.ts';
import type { JourneyWorld } from '../engine/journey-world.ts';

/** What `afloat status` prints of a cloud that has only this one of its services, with everything that differs from run to run masked. */
export async function statusText(world: JourneyWorld, service: string): Promise<string> {
  const cloud = await readCloud(world.cluster, world.namespace, { now: new Date().toISOString() });
  return masked(printView(viewOf(only(cloud, service))));
}

function only({ record, ...cloud }: CloudObjects, service: string): CloudObjects {
  return {
    ...cloud,
    ...(record
      ? {
          record: {
            ...record,
            spec: { ...record.spec, services: record.spec.services.filter(({ name }) => name === service) },
          },
        }
      : {}),
    plans: [],
    flows: cloud.flows.filter(({ spec }) => spec.serviceName === service),
    revisions: cloud.revisions.filter(({ spec }) => spec.service === service),
    phases: cloud.phases.filter(({ spec }) => spec.openstackServiceName === service),
  };
}

/** Times, durations, random parts of names, addresses and folders. */
export function masked(text: string): string {
  return (
    text
      .replaceAll(/\/tmp\/afloat-journey-\w+\S*?\/program/g, '<package>')
      // Before durations: the random part of a name may look like one.
      .replaceAll(/-[0-9a-f]{8,10}-[a-z0-9]{5}\b/g, '-<pod>')
      .replaceAll(/-[0-9a-f]{10}\b/g, '-<hash>')
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?( UTC|Z)?/g, '<moment>')
      .replaceAll(/\b\d\d:\d\d(:\d\d)?\b( UTC)?/g, '<time>')
      .replaceAll(/\b\d+(\.\d+)? ?(s|m|min|h|d)\b( \d+ ?(s|m|min)\b)?/g, '<duration>')
      .replaceAll(/\b127(\.\d+){3}(:\d+)?/g, '<address>')
      .replaceAll(/\bsha256:[0-9a-f]{12,64}/g, '<digest>')
      .replaceAll(/[ \t]+$/gm, '')
  );
}
