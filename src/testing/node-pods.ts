import { sameJson } from '../base/json.ts';
import type { ContainerState, OpenPod } from '../runtime/container/containers.ts';
import { isoSeconds } from '../runtime/pod/decide/conditions.ts';
import { nextSteps, type Waiting } from '../runtime/pod/decide/next-steps.ts';
import { isAlive, type ObservedPod, type ObservedRun } from '../runtime/pod/decide/observed-pod.ts';
import { podStatus, secondsToDeadline } from '../runtime/pod/decide/pod-status.ts';
import { kubeletBackOff } from '../runtime/pod/decide/restart.ts';
import { isToEnd } from '../runtime/pod/pass/end-pod.ts';
import { type Container, containersOf, type Pod } from '../runtime/pod/pod-shape.ts';
import { isTerminal } from '../runtime/pod/pod-status-shape.ts';
import { controllerOf } from '../runtime/workload/object/owner.ts';
import { effectOf, type NodeLedger } from './node-ledger.ts';
import type { NodeObjects } from './node-objects.ts';
import type { RunOutcome, Script } from './node-script.ts';
import { missingPart } from './pod-needs.ts';

interface Run {
  observed: ObservedRun;
  readonly startedAt: number;
  /** When it ends by itself. */
  readonly endsAt?: number;
  readonly outcome: RunOutcome;
  readonly writeEnd: (exitCode: number) => void;
}

export const nodeName = 'node-1';
const hostIp = '192.0.2.1';

/** The exit code of a program that is told to end and does. */
const terminated = 143;

/** The kubelet of a scripted node: decides and reports as the one of the embedded runtime, and starts nothing. */
export class NodePods {
  readonly #script: Script;
  readonly #ledger: NodeLedger;
  readonly #runs = new Map<string, Map<string, Run[]>>();
  readonly #rooms = new Map<string, OpenPod>();
  readonly #logs = new Map<string, string>();

  constructor(script: Script, ledger: NodeLedger) {
    this.#script = script;
    this.#ledger = ledger;
  }

  /** One step of one Pod: placed, begun, ended, taken away. Returns after how many milliseconds the next comes by itself. */
  async step(pod: Pod, objects: NodeObjects, now: number): Promise<number | undefined> {
    const isDeleted = pod.metadata.deletionTimestamp !== undefined;
    if (!pod.spec.nodeName) {
      if (!isDeleted) await objects.patch(pod, { spec: { nodeName } });
    } else if (isTerminal(pod.status?.phase)) {
      if (isDeleted) await this.#takeAway(pod, objects);
    } else if (isToEnd(pod, now)) {
      await this.#end(pod, objects, now);
    } else {
      return this.#goOn(pod, objects, now);
    }
    return undefined;
  }

  /** What a container wrote, as far as the script says; undefined where there is no such Pod any more. */
  logOf(namespace: string, pod: string, container: string): string | undefined {
    return this.#logs.get(`${namespace}/${pod}/${container}`);
  }

  async #goOn(pod: Pod, objects: NodeObjects, now: number): Promise<number | undefined> {
    const observed = this.#observe(pod, now);
    if (missingPart(pod, objects) !== undefined) {
      await this.#report({ ...observed, room: undefined }, new Map(), false, objects);
      return undefined;
    }
    const due = this.#alive(pod).filter(({ endsAt }) => endsAt !== undefined && endsAt <= now);
    const waiting = new Map<string, Waiting>();
    let wake: number | undefined;
    if (due.length > 0) for (const run of due) this.#endRun(pod, run, now);
    else {
      const steps = nextSteps(observed, kubeletBackOff);
      for (const [name, why] of steps.waiting) waiting.set(name, why);
      for (const container of steps.start) {
        const why = this.#start(pod, container, now);
        if (why) waiting.set(container.name, why);
      }
      wake = steps.wakeAfterSeconds === undefined ? undefined : steps.wakeAfterSeconds * 1000;
    }
    await this.#report(this.#observe(pod, now), waiting, false, objects);
    const ends = this.#alive(pod).flatMap(({ endsAt }) => (endsAt === undefined ? [] : [endsAt - now]));
    const next = Math.min(...ends, wake ?? Number.POSITIVE_INFINITY, secondsToDeadline(pod, now) * 1000);
    return Number.isFinite(next) ? Math.max(0, next) : undefined;
  }

  /** First nothing of it runs any more and the status says so; in the next tick it goes. */
  async #end(pod: Pod, objects: NodeObjects, now: number): Promise<void> {
    const alive = this.#alive(pod);
    for (const run of alive) this.#endRun(pod, run, now, terminated);
    const isNew = await this.#report(this.#observe(pod, now), new Map(), true, objects);
    if (pod.metadata.deletionTimestamp !== undefined && alive.length === 0 && !isNew)
      await this.#takeAway(pod, objects);
  }

  async #takeAway(pod: Pod, objects: NodeObjects): Promise<void> {
    const { uid, namespace = '', name, deletionGracePeriodSeconds } = pod.metadata;
    // Marked with no time left: finalizers keep it for others.
    if (deletionGracePeriodSeconds === 0 && (pod.metadata.finalizers ?? []).length > 0) return;
    await objects.delete(pod, 'Background', 0);
    this.#runs.delete(uid);
    this.#rooms.delete(uid);
    for (const { name: container } of containersOf(pod.spec))
      this.#logs.delete(`${namespace}/${name}/${container}`);
  }

  /** Starts a container, or says why it waits. */
  #start(pod: Pod, container: Container, now: number): Waiting | undefined {
    const { uid, name, namespace = '' } = pod.metadata;
    const runs = this.#runsOf(pod, container);
    const owner = controllerOf(pod);
    const effect = effectOf(container);
    const attempt = runs.length;
    const asked = this.#script({ pod, container, owner, effect, attempt });
    const outcome: RunOutcome =
      asked ?? (endsByItself(pod, container) ? { exitCode: 0, seconds: 0 } : { serves: true });
    if ('waiting' in outcome) return outcome.waiting;
    const isUp = !('serves' in outcome) || outcome.serves || container.readinessProbe !== undefined;
    const state: ContainerState = isUp
      ? { is: 'running', pid: 1, startedAt: isoSeconds(now) }
      : { is: 'starting' };
    const readiness = !('serves' in outcome) || outcome.serves;
    const writeEnd = this.#ledger.begin({
      ...{ owner: owner ? `${owner.kind} ${owner.name}` : `Pod ${name}`, namespace, pod: name },
      ...{ container: container.name, effect, startedAt: now },
    });
    runs.push({
      observed: {
        id: { podUid: uid, name: container.name, attempt },
        state,
        probes: { startup: true, readiness },
      },
      startedAt: now,
      ...('seconds' in outcome ? { endsAt: now + outcome.seconds * 1000 } : {}),
      outcome,
      writeEnd,
    });
    if ('log' in outcome && outcome.log !== undefined)
      this.#logs.set(`${namespace}/${name}/${container.name}`, outcome.log);
    return undefined;
  }

  /** Ends a run, by its own outcome unless it is told to end. */
  #endRun(pod: Pod, run: Run, now: number, told?: number): void {
    const { outcome, observed, startedAt } = run;
    const isOwnEnd = told === undefined && 'exitCode' in outcome;
    const exitCode = isOwnEnd ? outcome.exitCode : (told ?? 0);
    const container = containersOf(pod.spec).find(({ name }) => name === observed.id.name);
    const fallsBack = container?.terminationMessagePolicy === 'FallbackToLogsOnError' && exitCode !== 0;
    const words = isOwnEnd ? (outcome.result ?? (fallsBack ? outcome.log : undefined)) : undefined;
    run.observed = {
      ...observed,
      state: { is: 'ended', exitCode, startedAt: isoSeconds(startedAt), finishedAt: isoSeconds(now) },
      ...(words === undefined ? {} : { lastWords: words }),
    };
    run.writeEnd(exitCode);
  }

  /** True when the status is another one than before. */
  async #report(
    observed: ObservedPod,
    waiting: ReadonlyMap<string, Waiting>,
    isEnding: boolean,
    objects: NodeObjects,
  ): Promise<boolean> {
    const status = podStatus(observed, { waiting, isEnding, hostIp });
    if (sameJson(status, observed.pod.status ?? {})) return false;
    await objects.writeStatus(observed.pod, status);
    return true;
  }

  #observe(pod: Pod, now: number): ObservedPod {
    const runs = [...(this.#runs.get(pod.metadata.uid) ?? [])].map(
      ([name, all]) => [name, all.map(({ observed }) => observed)] as const,
    );
    return { pod, now, room: this.#room(pod), runs: new Map(runs) };
  }

  #room({ metadata }: Pod): OpenPod {
    const number = this.#rooms.size + 1;
    const known = this.#rooms.get(metadata.uid);
    const room = known ?? { ip: this.#freeAddress(number), hostIp, folder: '' };
    this.#rooms.set(metadata.uid, room);
    return room;
  }

  #freeAddress(begin: number): string {
    const taken = new Set([...this.#rooms.values()].map(({ ip }) => ip));
    for (let number = begin; ; number++) {
      const ip = `10.244.${Math.floor(number / 250) % 250}.${(number % 250) + 1}`;
      if (!taken.has(ip)) return ip;
    }
  }

  #runsOf({ metadata }: Pod, { name }: Container): Run[] {
    const ofPod = this.#runs.get(metadata.uid) ?? new Map<string, Run[]>();
    this.#runs.set(metadata.uid, ofPod);
    const runs = ofPod.get(name) ?? [];
    ofPod.set(name, runs);
    return runs;
  }

  #alive({ metadata }: Pod): Run[] {
    const all = [...(this.#runs.get(metadata.uid)?.values() ?? [])].flat();
    return all.filter(({ observed }) => isAlive(observed));
  }
}

/** An init container, or a container of a Pod that is not restarted for ever. */
function endsByItself({ spec }: Pod, container: Container): boolean {
  const policy = container.restartPolicy ?? (isInit(spec, container) ? 'Never' : spec.restartPolicy);
  return policy !== undefined && policy !== 'Always';
}

function isInit({ initContainers = [] }: Pod['spec'], { name }: Container): boolean {
  return initContainers.some(one => one.name === name);
}
