import { sameJson } from '../base/json.ts';
import { findObject, refOf } from '../cluster/find-object.ts';
import type { Driver } from './driver.ts';
import type { DriverParts } from './driver-parts.ts';
import { applyObject } from './object/apply-object.ts';
import { controlledBy, jobType, podType } from './object/owned-objects.ts';
import { removeObject } from './object/remove-object.ts';
import { absent, judged, terminating } from './observe/judgement.ts';

/**
 * CronJobs: done when one with our content is there, for what it will run is its own business. That is asked of the cluster, by an apply that
 * changes nothing, because it fills in defaults. Gone when no Job and no Pod of it is left.
 */
export function cronJobDriver({ cluster }: DriverParts): Driver {
  return {
    async observe(object) {
      const live = await findObject(cluster, refOf(object));
      if (!live) return absent(object);
      const early = terminating(live);
      if (early) return early;
      const wanted = await applyObject(cluster, object, { dryRun: true });
      const name = `CronJob ${live.metadata.name}`;
      return sameJson(wanted['spec'], live['spec'])
        ? judged('done', 'Scheduled', `${name} is there as it shall be`)
        : judged('progressing', 'OutOfSync', `${name} has another content`);
    },
    apply: async object => void (await applyObject(cluster, object)),
    async remove(object) {
      if ((await removeObject(cluster, object)) === 'going') return 'going';
      const { name = '', namespace } = object.metadata;
      const jobs = await controlledBy(
        cluster,
        jobType,
        { namespace },
        owner => owner.kind === 'CronJob' && owner.name === name,
      );
      if (jobs.length > 0) return 'going';
      // A Job of it has its name and the minute at which it was due.
      const jobName = new RegExp(`^${name.replaceAll('.', '\\.')}-\\d+$`);
      const pods = await controlledBy(
        cluster,
        podType,
        { namespace, selector: 'job-name' },
        owner => owner.kind === 'Job' && jobName.test(owner.name),
      );
      return pods.length > 0 ? 'going' : 'gone';
    },
  };
}
