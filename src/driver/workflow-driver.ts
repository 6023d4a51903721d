import { failedWhenAnnotation, readyWhenAnnotation } from '../api/labels.ts';
import type { ClusterObject } from '../cluster/cluster.ts';
import { findObject, refOf } from '../cluster/find-object.ts';
import type { Driver } from './driver.ts';
import type { DriverParts } from './driver-parts.ts';
import { reportWorkload } from './make-report.ts';
import { createOnce } from './object/apply-object.ts';
import { checkSameOrigin } from './object/identity.ts';
import { controlledBy, podType } from './object/owned-objects.ts';
import { removeObject } from './object/remove-object.ts';
import { absent } from './observe/judgement.ts';
import { observeConditions } from './observe/observe-conditions.ts';
import { observeWorkflow } from './observe/observe-workflow.ts';
import { asPods } from './observe/pod.ts';
import { readExpectation } from './observe/ready-when.ts';

/** The label by which the workflow-controller marks the Pods of a Workflow. */
const workflowLabel = 'workflows.argoproj.io/workflow';

/**
 * Argo Workflows run once, as Jobs do: one that is there is left as it is, and is looked at only where the same phase wrote it. Judged by
 * their phase, steps and Pods, or by the annotations `ready-when` and `failed-when` where the manifest has them. Gone when no Pod is left.
 */
export function workflowDriver(parts: DriverParts): Driver {
  const { cluster } = parts;
  const podsOf = async ({ metadata }: ClusterObject, isMeant: (uid: string) => boolean) => {
    const { name, namespace } = metadata;
    const selector = `${workflowLabel}=${name}`;
    const owned = await controlledBy(
      cluster,
      podType,
      { namespace, selector },
      owner => owner.kind === 'Workflow' && owner.name === name && isMeant(owner.uid),
    );
    return asPods(owned);
  };
  return {
    async observe(object) {
      const ready = readExpectation(object, readyWhenAnnotation);
      const failed = readExpectation(object, failedWhenAnnotation);
      const live = await findObject(cluster, refOf(object));
      if (!live) return absent(object);
      checkSameOrigin(live, object);
      if (ready || failed) return observeConditions(live, { ready, failed: failed ? [failed] : [] });
      const pods = await podsOf(live, uid => uid === live.metadata.uid);
      return reportWorkload(parts, { object: live, pods, isShortOfPods: false }, observeWorkflow(live, pods));
    },
    async apply(object) {
      // Before it is written: one whose end nobody could tell is not begun.
      readExpectation(object, readyWhenAnnotation);
      readExpectation(object, failedWhenAnnotation);
      await createOnce(cluster, object);
    },
    async remove(object) {
      if ((await removeObject(cluster, object)) === 'going') return 'going';
      return (await podsOf(object, () => true)).length > 0 ? 'going' : 'gone';
    },
  };
}
