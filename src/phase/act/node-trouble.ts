import { phaseLabel, serviceLabel, sliceLabel } from '../../api/labels.ts';
import type { Cluster, StoredObject } from '../../cluster/cluster.ts';
import type { Outcome, PhasePorts, PhaseRun } from '../phase-run.ts';

/** What a cluster notes about a Pod when something befell its node, or its place on it, and not the program in it. */
const troubles: Readonly<Record<string, string>> = {
  NodeNotReady: 'nothing was heard of its node',
  SandboxChanged: 'its node began it anew',
  TaintManagerEviction: 'its node was given up',
  Preempted: 'its place was taken',
};

/** What befell the node of a Pod. */
export interface NodeTrouble {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** For people: who it befell, and what. */
  readonly says: string;
}

/** So long after its node was last in trouble a slice may take to answer again, before that counts against it. */
export const comeBackSeconds = 300;

/** So long waits for nodes may take in all, beside what is waited for: the trouble of a node that comes and goes is always lately. */
export const longestTroubleSeconds = 2 * comeBackSeconds;

/** What befell the node of one of these slices so lately that they may still come back by themselves, as something to wait for. */
export async function comesBack(
  run: PhaseRun,
  ports: PhasePorts,
  slices: readonly string[],
): Promise<Outcome | undefined> {
  const since = run.now - comeBackSeconds * 1000;
  for (const slice of slices) {
    const trouble = await nodeTrouble(run, ports, { slice, since });
    if (!trouble) continue;
    const message = `Slice ${slice} does not answer because of its node, and gets time to come back. ${trouble.says}.`;
    return { kind: 'wait', reason: 'NodeTrouble', message, afterSeconds: 1 };
  }
  return undefined;
}

/** The Pods of a slice, and of the tasks of this phase, that something befell since a moment: the last that is known of. */
export async function nodeTrouble(
  { namespace, service, name }: PhaseRun,
  { cluster }: PhasePorts,
  { slice, since }: { readonly slice: string; readonly since: number },
): Promise<NodeTrouble | undefined> {
  const ofSlice = `${serviceLabel}=${service},${sliceLabel}=${slice}`;
  const pods = await Promise.all(
    [ofSlice, `${phaseLabel}=${name}`].map(async labelSelector => {
      const { items } = await cluster.list({ apiVersion: 'v1', kind: 'Pod' }, { namespace, labelSelector });
      return items.map(({ metadata }) => metadata.uid);
    }),
  );
  const concerned = new Set(pods.flat());
  const noted = await Promise.all(Object.keys(troubles).map(reason => eventsOf(cluster, namespace, reason)));
  return noted
    .flat()
    .filter(({ involvedObject }) => concerned.has(involvedObject.uid ?? ''))
    .map(({ involvedObject, reason, ...event }) => ({
      at: momentOf(event),
      says: `Pod ${involvedObject.name}: ${troubles[reason]} (${reason})`,
    }))
    .filter(({ at }) => at >= since)
    .toSorted((a, b) => a.at - b.at)
    .at(-1);
}

interface NotedEvent extends StoredObject {
  readonly reason: string;
  readonly involvedObject: { readonly name?: string; readonly uid?: string };
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
}

async function eventsOf(cluster: Cluster, namespace: string, reason: string): Promise<readonly NotedEvent[]> {
  const fieldSelector = `involvedObject.kind=Pod,reason=${reason}`;
  const { items } = await cluster.list({ apiVersion: 'v1', kind: 'Event' }, { namespace, fieldSelector });
  return items as readonly NotedEvent[];
}

/** When it happened last, to the second. */
function momentOf({
  lastTimestamp,
  eventTime,
  metadata,
}: Pick<NotedEvent, 'lastTimestamp' | 'eventTime' | 'metadata'>): number {
  return Date.parse(lastTimestamp ?? eventTime ?? metadata.creationTimestamp);
}
