import { failedWhenAnnotation, readyWhenAnnotation } from '../api/labels.ts';
import type { ClusterObject } from '../cluster/cluster.ts';
import { findObject, refOf } from '../cluster/find-object.ts';
import type { Driver } from './driver.ts';
import type { DriverParts } from './driver-parts.ts';
import { applyObject } from './object/apply-object.ts';
import { removeObject } from './object/remove-object.ts';
import { absent } from './observe/judgement.ts';
import { type Expectations, observeConditions } from './observe/observe-conditions.ts';
import { parseExpectation, readExpectation } from './observe/ready-when.ts';

/** What is known of kinds that say in their own words how they are. By group and kind. */
const knownKinds: Readonly<Record<string, { readonly ready: string; readonly failed: readonly string[] }>> = {
  'argoproj.io/Workflow': {
    ready: 'jsonpath={.status.phase}=Succeeded',
    failed: ['jsonpath={.status.phase}=Failed', 'jsonpath={.status.phase}=Error'],
  },
};

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
  const { apiVersion, kind } = object;
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  const known = knownKinds[`${group}/${kind}`];
  const ready = readExpectation(object, readyWhenAnnotation);
  const failed = readExpectation(object, failedWhenAnnotation);
  return {
    ready: ready ?? parseExpectation(known?.ready ?? ''),
    failed: failed ? [failed] : (known?.failed ?? []).flatMap(text => parseExpectation(text) ?? []),
  };
}
