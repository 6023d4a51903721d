import { userInfo } from 'node:os';
import { type Clock, systemClock } from '../cluster/clock.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { ReadPodLog } from '../cluster/pod-log.ts';
import { viewOf } from '../status/status.ts';
import { applyRecord } from './operate/apply-record.ts';
import { approve } from './operate/approve.ts';
import { contract } from './operate/contract.ts';
import { diffCloud } from './operate/diff-cloud.ts';
import { followCloud } from './operate/follow-cloud.ts';
import { chooseNamespace, readCloud } from './operate/read-cloud.ts';
import { readLogs } from './operate/read-logs.ts';
import { type PlansBeside, rollBack } from './operate/roll-back.ts';
import { abort, pause, resume, retry } from './operate/steer.ts';
import type { Desk } from './operate/write-spec.ts';
import type { Verbs } from './operator-verbs.ts';

/** What the verbs need beside the objects of the cluster. */
export interface VerbPorts {
  /** The namespace that was named; without it, that of the only record. */
  readonly namespace?: string;
  readonly podLogs: ReadPodLog;
  readonly plans: PlansBeside;
  /** Who approves; the user of this machine unless told otherwise. */
  readonly user?: string;
  readonly clock?: Clock;
}

/** What a person can do with one cloud, on any cluster, real or embedded. */
export function operate(cluster: Cluster, ports: VerbPorts): Verbs {
  const { clock = systemClock, user = userInfo().username } = ports;
  const now = () => new Date(clock.wall()).toISOString();
  const desk = async (): Promise<Desk> => {
    const namespace = await chooseNamespace(cluster, ports.namespace);
    const objects = await readCloud(cluster, namespace, now());
    return { cluster, namespace, snapshot: { objects, view: viewOf(objects) }, user, now: now() };
  };
  return {
    look: async () => (await desk()).snapshot,
    follow: async function* (signal) {
      yield* followCloud(cluster, await chooseNamespace(cluster, ports.namespace), signal, clock);
    },
    apply: request => applyRecord(cluster, request),
    approve: async request => approve(await desk(), request),
    pause: async () => pause(await desk()),
    resume: async () => resume(await desk()),
    abort: async service => abort(await desk(), service),
    retry: async service => retry(await desk(), service),
    rollback: async (service, toRevision) => rollBack(await desk(), service, toRevision, ports.plans),
    contract: async service => contract(await desk(), service, ports.plans),
    logs: async function* (request, signal) {
      yield* readLogs(await desk(), request, ports.podLogs, signal);
    },
    diff: async () => diffCloud(await desk()),
  };
}
