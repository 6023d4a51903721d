import { findObject, refOf } from '../cluster/find-object.ts';
import type { Driver } from './driver.ts';
import type { DriverParts } from './driver-parts.ts';
import { reportWorkload } from './make-report.ts';
import { createOnce } from './object/apply-object.ts';
import { checkSameOrigin } from './object/identity.ts';
import { removeObject } from './object/remove-object.ts';
import { absent } from './observe/judgement.ts';
import { observePod } from './observe/observe-pod.ts';
import { asPods } from './observe/pod.ts';

/**
 * Pods that stand alone. One that is there is left as it is, and is looked at only where the same phase wrote it. With restart policy Always it
 * is done when it is ready, otherwise when it has succeeded.
 */
export function podDriver(parts: DriverParts): Driver {
  const { cluster } = parts;
  return {
    async observe(object) {
      const live = await findObject(cluster, refOf(object));
      if (!live) return absent(object);
      checkSameOrigin(live, object);
      const pods = asPods([live]);
      const [pod] = pods;
      if (!pod) return absent(object);
      return reportWorkload(parts, { object: live, pods, isShortOfPods: false }, observePod(pod));
    },
    apply: object => createOnce(cluster, object),
    remove: object => removeObject(cluster, object),
  };
}
