import type { ClusterObject, StoredObject } from '../cluster/cluster.ts';
import { findObject, refOf } from '../cluster/find-object.ts';
import type { Driver } from './driver.ts';
import type { DriverParts } from './driver-parts.ts';
import { reportWorkload } from './make-report.ts';
import { createOnce } from './object/apply-object.ts';
import { checkSameOrigin } from './object/identity.ts';
import { controlledBy, podType } from './object/owned-objects.ts';
import { removeObject } from './object/remove-object.ts';
import { absent } from './observe/judgement.ts';
import { jobIsShortOfPods, observeJob } from './observe/observe-job.ts';
import { asPods } from './observe/pod.ts';

/**
 * Jobs run once: one that is there is left as it is, and is looked at only where the same phase wrote it (`ObjectNotOurs` otherwise). A Job is
 * gone when its Pods are.
 */
export function jobDriver(parts: DriverParts): Driver {
  const { cluster } = parts;
  const podsOf = async ({ metadata }: ClusterObject, isMeant: (uid: string) => boolean) => {
    const { name, namespace } = metadata;
    const selector = `job-name=${name}`;
    const owned = await controlledBy(
      cluster,
      podType,
      { namespace, selector },
      owner => owner.kind === 'Job' && owner.name === name && isMeant(owner.uid),
    );
    return asPods(owned);
  };
  return {
    async observe(object) {
      const job = await findObject(cluster, refOf(object));
      if (!job) return absent(object);
      checkSameOrigin(job, object);
      return report(job);
    },
    apply: object => createOnce(cluster, object),
    async remove(object) {
      if ((await removeObject(cluster, object)) === 'going') return 'going';
      // By name: the Job is gone, and with it its uid.
      return (await podsOf(object, () => true)).length > 0 ? 'going' : 'gone';
    },
  };

  async function report(job: StoredObject) {
    const pods = await podsOf(job, uid => uid === job.metadata.uid);
    const isShortOfPods = jobIsShortOfPods(job, pods);
    return reportWorkload(parts, { object: job, pods, isShortOfPods }, observeJob(job, pods));
  }
}
