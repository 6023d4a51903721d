import { sameJson } from '../../../base/json.ts';
import type { Clock } from '../../../cluster/clock.ts';
import type { StoredObject } from '../../../cluster/cluster.ts';
import { isReason } from '../../../cluster/cluster-error.ts';
import { partsOf, placeOf } from '../../../reconcile/informer.ts';
import type { Controller, Reconciling } from '../../../reconcile/reconcile.ts';
import { dated } from '../decide/conditions.ts';
import type { PodEvents } from '../pod-events.ts';
import type { Pod } from '../pod-shape.ts';
import { byClaim, claimType } from '../volume/volume-claims.ts';
import { nodeType } from './node-object.ts';
import { placePod } from './scheduling.ts';

const podType = { apiVersion: 'v1', kind: 'Pod' } as const;

export interface SchedulerOptions {
  readonly reconciling: Reconciling;
  readonly node: string;
  readonly events: PodEvents;
  readonly clock: Clock;
}

/** Binds every Pod to the one node, or says on it why not. */
export function schedulerController({ reconciling, node, events, clock }: SchedulerOptions): Controller {
  const pods = reconciling.informer(podType);
  const nodes = reconciling.informer(nodeType);
  const claims = reconciling.informer(claimType);
  const place = ({ metadata }: StoredObject) => placeOf(metadata.namespace, metadata.name);

  async function bind(pod: Pod): Promise<void> {
    const { namespace = '', name, resourceVersion } = pod.metadata;
    await reconciling.patch(
      { ...podType, namespace, name },
      { type: 'merge', value: { metadata: { resourceVersion }, spec: { nodeName: node } } },
    );
    const message = `Successfully assigned ${namespace}/${name} to ${node}`;
    events.record(pod, { type: 'Normal', reason: 'Scheduled', message }, 'default-scheduler');
  }

  async function refuse(pod: Pod, reason: string, message: string): Promise<void> {
    const before = pod.status?.conditions ?? [];
    const condition = dated({ type: 'PodScheduled', status: 'False', reason, message }, before, {
      pod,
      now: clock.wall(),
    });
    if (before.some(one => sameJson(one, condition))) return;
    const conditions = [...before.filter(({ type }) => type !== 'PodScheduled'), condition];
    await reconciling.updateStatus({ ...pod, status: { ...pod.status, phase: 'Pending', conditions } });
    // One that waits for its gates is not a failure.
    if (reason === 'SchedulingGated') return;
    events.record(pod, { type: 'Warning', reason: 'FailedScheduling', message }, 'default-scheduler');
  }

  return {
    name: 'scheduler',
    workers: 8,
    watches: [
      { type: podType, keysOf: object => [place(object)] },
      { type: claimType, keysOf: claim => pods.by(byClaim, place(claim)).map(place) },
      { type: nodeType, keysOf: () => unplaced(pods.all() as readonly Pod[]).map(place) },
    ],
    async pass(key) {
      const { namespace, name } = partsOf(key);
      const pod = pods.get(namespace, name) as Pod | undefined;
      const own = nodes.get(undefined, node);
      if (!pod || !own) return undefined;
      const placed = placePod(pod, own, claim => claims.get(namespace, claim) !== undefined);
      try {
        if (placed.is === 'here') await bind(pod);
        if (placed.is === 'nowhere') await refuse(pod, placed.reason, placed.message);
      } catch (error) {
        // The Pod is another one by now, or gone: the watch tells.
        if (!isReason(error, 'Conflict', 'NotFound')) throw error;
      }
      return undefined;
    },
  };
}

function unplaced(pods: readonly Pod[]): readonly Pod[] {
  return pods.filter(pod => pod.spec.nodeName === undefined);
}
