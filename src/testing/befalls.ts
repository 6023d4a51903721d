import { serviceLabel, sliceLabel } from '../api/labels.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { PhaseRun } from '../phase/phase-run.ts';

/** What befell a Pod, and when, in seconds since the phase began. */
export interface Befell {
  /** A Pod of this slice of the service, unless its labels are said. */
  readonly slice?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly seconds: number;
  /** As a cluster says it. Nothing was heard of its node, unless told. */
  readonly reason?: string;
}

/** Makes a Pod, and the note that a cluster leaves when something befalls one. */
export async function befalls(cluster: Cluster, run: PhaseRun, befell: Befell): Promise<void> {
  const { slice = '', seconds, reason = 'NodeNotReady' } = befell;
  const { namespace } = run;
  const labels = befell.labels ?? { [serviceLabel]: run.service, [sliceLabel]: slice };
  const pod = await cluster.create({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { generateName: 'pod-', namespace, labels } },
    spec: { containers: [{ name: 'main', image: 'x:1' }] },
  });
  const { name, uid } = pod.metadata;
  await cluster.create({
    ...{ apiVersion: 'v1', kind: 'Event', metadata: { generateName: 'event-', namespace } },
    involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace, name, uid },
    ...{ reason, message: '', type: 'Warning' },
    lastTimestamp: new Date(run.startedAt + seconds * 1000).toISOString(),
  });
}
