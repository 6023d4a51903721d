import { findObject, refOf } from '../cluster/find-object.ts';
import type { Driver } from './driver.ts';
import type { DriverParts } from './driver-parts.ts';
import { applyObject } from './object/apply-object.ts';
import { readEvents } from './object/read-events.ts';
import { removeObject } from './object/remove-object.ts';
import { absent } from './observe/judgement.ts';
import { observeClaim } from './observe/observe-claim.ts';

/** PersistentVolumeClaims: done when bound, or when only a Pod is missing for that. */
export function claimDriver({ cluster }: DriverParts): Driver {
  return {
    async observe(object) {
      const live = await findObject(cluster, refOf(object));
      if (!live) return absent(object);
      const { namespace = '', uid } = live.metadata;
      return observeClaim(live, await readEvents(cluster, namespace, { uid }));
    },
    apply: async object => void (await applyObject(cluster, object)),
    remove: object => removeObject(cluster, object),
  };
}
