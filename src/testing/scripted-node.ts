import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../cluster/clock.ts';
import type { Cluster, ObjectType, StoredObject } from '../cluster/cluster.ts';
import { isReason } from '../cluster/cluster-error.ts';
import type { PodLogs } from '../driver/driver.ts';
import { isoSeconds } from '../runtime/pod/decide/conditions.ts';
import type { Pod } from '../runtime/pod/pod-shape.ts';
import { serviceType, sliceType } from '../runtime/services/service-objects.ts';
import { cronJobs } from '../runtime/workload/cronjob/cron-job-controller.ts';
import { daemonSets } from '../runtime/workload/daemonset/daemon-set-controller.ts';
import { deployments } from '../runtime/workload/deployment/deployment-controller.ts';
import { jobs } from '../runtime/workload/job/job-controller.ts';
import { controllerKey } from '../runtime/workload/object/owner.ts';
import * as kinds from '../runtime/workload/object/workload-kinds.ts';
import { replicaSets } from '../runtime/workload/replicaset/replica-set-controller.ts';
import { decideClaims } from '../runtime/workload/run/claim.ts';
import type { Write } from '../runtime/workload/run/decision.ts';
import type { Workload } from '../runtime/workload/run/workload.ts';
import { statefulSets } from '../runtime/workload/statefulset/stateful-set-controller.ts';
import { NodeLedger } from './node-ledger.ts';
import { NodeObjects } from './node-objects.ts';
import { NodePods, nodeName } from './node-pods.ts';
import type { Script } from './node-script.ts';
import { bindClaims, giveAddresses, writeSlices } from './node-services.ts';

/** Everything a scripted node looks at. */
const types: readonly ObjectType[] = [
  ...[kinds.nodeType, kinds.claimType, kinds.podType, kinds.replicaSetType, kinds.deploymentType],
  ...[kinds.statefulSetType, kinds.daemonSetType, kinds.revisionType, kinds.jobType, kinds.cronJobType],
  ...[serviceType, sliceType, { apiVersion: 'v1', kind: 'Secret' }, { apiVersion: 'v1', kind: 'ConfigMap' }],
];

const workloads = [
  replicaSets,
  deployments,
  statefulSets,
  daemonSets,
  jobs,
  cronJobs,
] as unknown as readonly Workload<StoredObject, unknown>[];

const indexes = Object.assign({}, ...workloads.flatMap(({ claims }) => claims.map(one => one.indexes ?? {})));

/** How long, in real time, garbage that only the cluster can take away is waited for. */
const garbageMilliseconds = 10_000;

/** More ticks than any honest world needs to come to rest. */
const mostTicks = 500;

export interface ScriptedNodeOptions {
  readonly clock: Clock;
  /** What becomes of every run of a container; where it is left out, tasks end well and at once, and what serves is ready. */
  readonly outcome?: Script;
}

/**
 * Stands in for the kubelet and the controllers of a cluster without starting anything: decides and reports with the code of the embedded
 * runtime, which a real node judges, and takes the outcome of every run from a script. The same script on the same objects does the same.
 */
export class ScriptedNode {
  /** What was done to the world. */
  readonly ledger = new NodeLedger();
  readonly #cluster: Cluster;
  readonly #clock: Clock;
  readonly #objects: NodeObjects;
  readonly #pods: NodePods;
  #wakes: number[] = [];

  constructor(cluster: Cluster, { clock, outcome = () => undefined }: ScriptedNodeOptions) {
    this.#cluster = cluster;
    this.#clock = clock;
    this.#objects = new NodeObjects(cluster, types, indexes);
    this.#pods = new NodePods(outcome, this.ledger);
  }

  /** What containers wrote, as far as the script says. */
  readonly logs: PodLogs = {
    tail: async ({ namespace, pod, container }, lines) =>
      this.#pods.logOf(namespace, pod, container)?.split('\n').slice(-lines).join('\n'),
  };

  /** Brings every object one step closer to what it shall be. True when something was written. */
  async tick(): Promise<boolean> {
    const objects = this.#objects;
    await objects.load();
    this.#wakes = [];
    await this.#keepNode();
    await giveAddresses(objects);
    await bindClaims(objects);
    for (const workload of workloads) await this.#control(workload);
    for (const pod of objects.all<Pod>(kinds.podType)) {
      const now = this.#clock.wall();
      const wake = await this.#pods.step(pod, objects, now);
      if (wake !== undefined) this.#wakes.push(now + wake);
    }
    await writeSlices(objects);
    return objects.writes > 0;
  }

  /** Ticks until nothing changes without time passing, the garbage of the cluster included. Throws when it never comes to rest. */
  async settle(): Promise<void> {
    const giveUpAt = performance.now() + garbageMilliseconds;
    for (let ticks = 0; ticks < mostTicks; ) {
      if (await this.tick()) ticks += 1;
      else if (!(await this.#hasGarbage())) return;
      else if (performance.now() > giveUpAt) throw new Error('the cluster does not take its garbage away');
      else await turn();
    }
    throw new Error(`something changes in every one of ${mostTicks} ticks`);
  }

  /** How many milliseconds from now something happens by itself, as of the last tick; undefined when nothing does. */
  nextChange(): number | undefined {
    if (this.#wakes.length === 0) return undefined;
    return Math.max(0, Math.min(...this.#wakes) - this.#clock.wall());
  }

  async #control(workload: Workload<StoredObject, unknown>): Promise<void> {
    const { type, claims, cleanUp } = workload;
    const objects = this.#objects;
    const owners = claims.flatMap(claimed =>
      objects.all(claimed.type).flatMap(object => controllerKey(object, type.kind) ?? []),
    );
    for (const key of new Set(cleanUp ? owners : [])) await this.#carryOut(cleanUp?.(key, objects).writes);
    for (const object of objects.all(type)) await this.#pass(workload, object);
  }

  async #pass(workload: Workload<StoredObject, unknown>, object: StoredObject): Promise<void> {
    const { claims, observe, decide } = workload;
    const objects = this.#objects;
    for (const claimed of claims) {
      const owned = objects.ownedBy(object, claimed.type);
      const orphans = objects.orphansNear(object, claimed.type);
      await this.#carryOut(decideClaims(object, claimed, { owned, orphans }));
    }
    const now = this.#clock.wall();
    const { writes, status, writesAfterStatus, afterSeconds } = decide(observe(object, objects, now));
    if (afterSeconds !== undefined) this.#wakes.push(now + afterSeconds * 1000);
    if (!(await this.#carryOut(writes))) return;
    if (status && !(await objects.writeStatus(object, status))) return;
    await this.#carryOut(writesAfterStatus);
  }

  /** False when somebody was quicker: the next tick decides again. */
  async #carryOut(writes: readonly Write[] = []): Promise<boolean> {
    for (const write of writes) if (!(await this.#objects.write(write))) return false;
    return true;
  }

  async #keepNode(): Promise<void> {
    if (this.#objects.find(kinds.nodeType, undefined, nodeName)) return;
    const labels = { 'kubernetes.io/hostname': nodeName, 'kubernetes.io/os': 'linux' };
    await this.#objects.create({ ...kinds.nodeType, metadata: { name: nodeName, labels }, spec: {} });
    const node = this.#objects.find(kinds.nodeType, undefined, nodeName);
    const time = isoSeconds(this.#clock.wall());
    const condition = { type: 'Ready', status: 'True', reason: 'KubeletReady', lastHeartbeatTime: time };
    const capacity = { cpu: '8', memory: '16Gi', pods: '1000' };
    const status = {
      capacity,
      allocatable: capacity,
      conditions: [{ ...condition, lastTransitionTime: time }],
    };
    if (node) await this.#objects.writeStatus(node, status);
  }

  /** Whether an object is there whose owners are all gone, or that waits for what it owns: the cluster has still something to do. */
  async #hasGarbage(): Promise<boolean> {
    const owned = types.flatMap(type => this.#objects.all(type));
    const known = new Set(owned.map(({ metadata }) => metadata.uid));
    for (const { metadata } of owned) {
      if (metadata.finalizers?.includes('foregroundDeletion')) return true;
      const { ownerReferences = [], deletionTimestamp, namespace } = metadata;
      if (ownerReferences.length === 0 || deletionTimestamp !== undefined) continue;
      const living = await Promise.all(
        ownerReferences.map(async ({ apiVersion, kind, name, uid }) => {
          if (known.has(uid)) return true;
          const place = namespace === undefined ? {} : { namespace };
          return this.#cluster.get({ apiVersion, kind, name, ...place }).then(
            owner => owner.metadata.uid === uid,
            (error: unknown) => {
              if (isReason(error, 'NotFound')) return false;
              throw error;
            },
          );
        }),
      );
      if (!living.some(Boolean)) return true;
    }
    return false;
  }
}
