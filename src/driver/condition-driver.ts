import { failedWhenAnnotation, readyWhenAnnotation } from '../api/labels.ts';
import type { ClusterObject } from '../cluster/cluster.ts';
import { findObject, refOf } from '../cluster/find-object.ts';
import type { Driver } from './driver.ts';
import type { DriverParts } from './driver-parts.ts';
import { applyObject } from './object/apply-object.ts';
import { removeObject } from './object/remove-object.ts';
import { absent } from './observe/judgement.ts';
import { type Expectations, observeConditions } from './observe/observe-conditions.ts';
import { readExpectation } from './observe/ready-when.ts';

/**
 * Any other kind, of the cluster or custom: judged by the annotations `ready-when` and `failed-when` of the manifest, otherwise by the rules of
 * kstatus, by which a ConfigMap, a Service or a Role is done when it is there. So is a custom resource whose controller has written
 * nothing yet: a package that has to wait for one says `ready-when`.
 */
export function conditionDriver({ cluster }: DriverParts): Driver {
  return {
    async observe(object) {
      const expectations = expectationsOf(object);
      const live = await findObject(cluster, refOf(object));
      return live ? observeConditions(live, expectations) : absent(object);
    },
    async apply(object) {
      // Before it is written: an object whose end nobody could tell is not begun.
      expectationsOf(object);
      await applyObject(cluster, object);
    },
    remove: object => removeObject(cluster, object),
  };
}

function expectationsOf(object: ClusterObject): Expectations {
  const failed = readExpectation(object, failedWhenAnnotation);
  return { ready: readExpectation(object, readyWhenAnnotation), failed: failed ? [failed] : [] };
}
