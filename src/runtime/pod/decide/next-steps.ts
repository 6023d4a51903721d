import { type Container, isSidecar, podTitle } from '../pod-shape.ts';
import { hasEnded, isAlive, latestRun, type ObservedPod, type ObservedRun } from './observed-pod.ts';
import { imageOfRun } from './reported-status.ts';
import { type BackOffRule, backOffSeconds, goDuration, runsAgain } from './restart.ts';

/** Why a container waits, in a kubelet's words. */
export interface Waiting {
  readonly reason: string;
  readonly message?: string;
}

/** A run that is to end though its Pod goes on. */
export interface Stop {
  readonly run: ObservedRun;
  readonly container: Container;
  /** Said in the event. */
  readonly message: string;
  readonly graceSeconds: number;
}

/** What is to be done for a Pod that shall run. */
export interface Steps {
  readonly start: readonly Container[];
  readonly stop: readonly Stop[];
  /** Containers that ended and wait before they run again. */
  readonly waiting: ReadonlyMap<string, Waiting>;
  /** Nothing of it will run again: what still runs beside it is to end. */
  readonly isOver: boolean;
  /** When to look again though nothing changed. */
  readonly wakeAfterSeconds: number | undefined;
}

/**
 * What comes next: containers that prepare the Pod one after the other, then all the others; what ended and is to run again, after
 * its back-off; what its probes gave up. Goes by the runs alone.
 */
export function nextSteps(observed: ObservedPod, rule: BackOffRule): Steps {
  const plan = new Plan(observed, rule);
  const { spec } = observed.pod;
  const isPrepared = prepare(plan, spec.initContainers ?? []);
  if (isPrepared && !plan.isOver) {
    for (const container of spec.containers) plan.look(container);
    const isDone = spec.containers.every(container => plan.isDone(container));
    // Sidecars do not keep a Pod alive.
    if (isDone) plan.end();
  }
  return plan.steps();
}

/** Looks at the init containers in order. True when the main containers may run. */
function prepare(plan: Plan, containers: readonly Container[]): boolean {
  const { pod } = plan.observed;
  const hasBegun = pod.spec.containers.some(container => latestRun(plan.observed, container));
  for (const [index, container] of containers.entries()) {
    const isPassed =
      hasBegun || containers.slice(index + 1).some(later => latestRun(plan.observed, later) !== undefined);
    if (isSidecar(container)) {
      plan.look(container);
      if (!isPassed && !plan.isStarted(container)) return false;
    } else if (!isPassed && !plan.isSuccess(container)) {
      plan.look(container);
      // One that failed for good ends the Pod.
      if (plan.isDone(container)) plan.end();
      return false;
    }
  }
  return true;
}

class Plan {
  readonly observed: ObservedPod;
  readonly #rule: BackOffRule;
  #start: Container[] = [];
  readonly #stop: Stop[] = [];
  readonly #waiting = new Map<string, Waiting>();
  #wake: number | undefined;
  isOver = false;

  constructor(observed: ObservedPod, rule: BackOffRule) {
    this.observed = observed;
    this.#rule = rule;
  }

  /** Starts, restarts or stops one container, or leaves it alone. */
  look(container: Container): void {
    const run = latestRun(this.observed, container);
    if (!run) this.#start.push(container);
    else if (run.state.is === 'ended') this.#lookAtEnded(container, run.state.exitCode, run.state.finishedAt);
    else if (this.#isChanged(container, run)) this.#restart(container, run);
    else this.#lookAtProbes(container, run);
  }

  /** Of a Pod that runs only images can be changed. */
  #isChanged(container: Container, run: ObservedRun): boolean {
    const { pod } = this.observed;
    return runsAgain(container, pod.spec, 1) && imageOfRun(pod, container, run) !== (container.image ?? '');
  }

  #restart(container: Container, run: ObservedRun): void {
    const { terminationGracePeriodSeconds: graceSeconds = 30 } = this.observed.pod.spec;
    const message = `Container ${container.name} definition changed, will be restarted`;
    this.#stop.push({ run, container, message, graceSeconds });
  }

  #lookAtEnded(container: Container, exitCode: number, finishedAt: string): void {
    const { pod, runs, now } = this.observed;
    if (!runsAgain(container, pod.spec, exitCode)) return;
    const seconds = backOffSeconds(runs.get(container.name) ?? [], this.#rule);
    const left = (Date.parse(finishedAt) + seconds * 1000 - now) / 1000;
    if (!(left > 0)) {
      this.#start.push(container);
      return;
    }
    const which = `container=${container.name} pod=${podTitle(pod)}`;
    this.#waiting.set(container.name, {
      reason: 'CrashLoopBackOff',
      message: `back-off ${goDuration(seconds)} restarting failed ${which}`,
    });
    this.#wake = Math.min(this.#wake ?? left, left);
  }

  #lookAtProbes(container: Container, run: ObservedRun): void {
    const { spec } = this.observed.pod;
    const failed = probeThatGaveUp(run);
    if (!failed) return;
    const probe = failed === 'liveness' ? container.livenessProbe : container.startupProbe;
    const kind = spec.initContainers?.includes(container) ? 'Init container' : 'Container';
    const policy = container.restartPolicy ?? spec.restartPolicy ?? 'Always';
    const after = policy === 'Never' || kind !== 'Container' ? '' : ', will be restarted';
    this.#stop.push({
      run,
      container,
      message: `${kind} ${container.name} failed ${failed} probe${after}`,
      graceSeconds: probe?.terminationGracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? 30,
    });
  }

  /** It is through with what it has to do before the next one may start. */
  isStarted(container: Container): boolean {
    const run = latestRun(this.observed, container);
    return run?.state.is === 'running' && (!container.startupProbe || run.probes.startup === true);
  }

  isSuccess(container: Container): boolean {
    const run = latestRun(this.observed, container);
    return hasEnded(run) && run.state.exitCode === 0;
  }

  /** It ended and will not run again. */
  isDone(container: Container): boolean {
    const run = latestRun(this.observed, container);
    return hasEnded(run) && !runsAgain(container, this.observed.pod.spec, run.state.exitCode);
  }

  end(): void {
    this.isOver = true;
    this.#start = [];
    this.#waiting.clear();
    this.#wake = undefined;
  }

  steps(): Steps {
    return {
      start: this.#start,
      stop: this.#stop,
      waiting: this.#waiting,
      isOver: this.isOver,
      wakeAfterSeconds: this.#wake,
    };
  }
}

function probeThatGaveUp(run: ObservedRun): 'liveness' | 'startup' | undefined {
  if (!isAlive(run)) return undefined;
  if (run.probes.liveness === false) return 'liveness';
  return run.probes.startup === false ? 'startup' : undefined;
}
