import { userInfo } from 'node:os';
import { type Clock, systemClock } from '../cluster/clock.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { ReadPodLog } from '../cluster/pod-log.ts';
import type { ObservedState } from '../plan/observed-state.ts';
import type { ResolvedRecord } from '../record/record.ts';
import type { OperatorPresence } from '../status/cloud-objects.ts';
import { viewOf } from '../status/status.ts';
import { charts } from './open-packages.ts';
import { adopt } from './operate/adopt.ts';
import { applyRecord } from './operate/apply-record.ts';
import { approve } from './operate/approve.ts';
import { contract } from './operate/contract.ts';
import { diffCloud } from './operate/diff-cloud.ts';
import { followCloud } from './operate/follow-cloud.ts';
import { pushRecord } from './operate/push-record.ts';
import { chooseNamespace, readCloud } from './operate/read-cloud.ts';
import { readLogs } from './operate/read-logs.ts';
import { type PlansBeside, rollBack } from './operate/roll-back.ts';
import { abort, pause, resume, retry } from './operate/steer.ts';
import type { Desk, SignedDesk } from './operate/write-spec.ts';
import type { Verbs } from './operator-verbs.ts';

/** What the verbs need beside the objects of the cluster. */
export interface VerbPorts {
  /** The namespace that was named; without it, that of the only record. */
  readonly namespace?: string;
  /** The namespace that is meant where none is named and there is no record; `default` unless told otherwise. */
  readonly usualNamespace?: string;
  readonly podLogs: ReadPodLog;
  readonly plans: PlansBeside;
  /** What runs of the cloud of a record; without it nothing is said of what an apply leaves out. */
  readonly observe?: (record: ResolvedRecord) => Promise<ObservedState>;
  /** Whether an operator is at work, where that can be told. */
  readonly findOperator?: () => Promise<OperatorPresence | undefined>;
  /** Who approves; the user of this machine unless told otherwise. Asked only where it is written down. */
  readonly user?: () => Promise<string>;
  readonly clock?: Clock;
}

/** What a person can do with one cloud, on any cluster, real or embedded. */
export function operate(cluster: Cluster, ports: VerbPorts): Verbs {
  const {
    clock = systemClock,
    user = async () => userInfo().username,
    findOperator = async () => undefined,
  } = ports;
  const wish = {
    ...(ports.namespace === undefined ? {} : { named: ports.namespace }),
    ...(ports.usualNamespace === undefined ? {} : { usual: ports.usualNamespace }),
  };
  const desk = async (): Promise<Desk> => {
    const namespace = await chooseNamespace(cluster, wish);
    const now = new Date(clock.wall()).toISOString();
    const operator = await findOperator();
    const moment = { now, ...(operator === undefined ? {} : { operator }) };
    const objects = await readCloud(cluster, namespace, moment);
    return { cluster, namespace, snapshot: { objects, view: viewOf(objects) }, now };
  };
  const signed = async (): Promise<SignedDesk> => ({ ...(await desk()), user: await user() });
  return {
    look: async () => (await desk()).snapshot,
    follow: async function* (signal) {
      yield* followCloud(cluster, await chooseNamespace(cluster, wish), signal, { clock, findOperator });
    },
    apply: request =>
      applyRecord(cluster, request, {
        namespace: wish,
        ...(ports.observe === undefined ? {} : { observe: ports.observe }),
      }),
    push: request => pushRecord(cluster, request, wish),
    adopt: async request => {
      const namespace = await chooseNamespace(cluster, wish);
      return adopt({ cluster, namespace, user: await user(), charts }, request);
    },
    approve: async request => approve(await signed(), request),
    pause: async plan => pause(await desk(), plan),
    resume: async plan => resume(await desk(), plan),
    abort: async service => abort(await desk(), service),
    retry: async service => retry(await desk(), service),
    rollback: async (service, toRevision) => rollBack(await signed(), service, toRevision, ports.plans),
    contract: async service => contract(await signed(), service, ports.plans),
    logs: async function* (request, signal) {
      yield* readLogs(await desk(), request, ports.podLogs, signal);
    },
    diff: async () => diffCloud(await desk()),
  };
}
