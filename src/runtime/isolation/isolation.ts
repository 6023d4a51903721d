/**
 * How Pods are kept apart on one machine.
 *
 * In: Pods that need room, containers to be started in it. Out: addresses, and the words with which the shim starts a program there.
 * Never: starts a container's program, keeps what only memory knows, leaves anything behind after `closePod` of all and `takeDown`.
 *
 * Every method may be called again after a crash at any line.
 */
import type { ContainerSpec, IsolationKind, PodSandbox } from '../container/containers.ts';

/** The folders of one run, as they are on the machine. */
export interface RunPlace {
  readonly podFolder: string;
  readonly runFolder: string;
}

/** How the shim starts one run. All words are arguments, not yet quoted. */
export interface StartPlan {
  /** Words before the shim's inner part: enter and make namespaces. */
  readonly enter: readonly string[];
  /** The host name that the run sees, where it has one of its own. */
  readonly hostname?: string;
  /** What to mount before the program starts, in the form of an fstab. */
  readonly mounts?: string;
  /** Words before the program: make a session, change root, folder and user. */
  readonly lead: readonly string[];
  /** The program's folder, where `lead` does not go there. */
  readonly workingDir?: string;
  /** Whether the machine's files are those of the run: then the shim can look for the program before it starts it. */
  readonly seesMachine: boolean;
  /** What `POD_ROOT` is. */
  readonly podRoot: string;
}

/** A run that cannot be had here, with the reason. */
export interface Refusal {
  readonly refused: string;
}

/** A run that runs. */
export interface ExecPlace {
  readonly spec: ContainerSpec;
  readonly runFolder: string;
  readonly firstPid: number;
}

/** How to run a program beside a run's first process. */
export interface ExecPlan {
  readonly command: readonly string[];
  /** The process that is started stays outside and waits for the program, which is its child. */
  readonly waitsOutside: boolean;
  readonly workingDir?: string;
  readonly user?: number;
  readonly group?: number;
}

/** The addresses of a Pod and of its machine. */
export interface PodAddresses {
  readonly ip: string;
  readonly hostIp: string;
}

export interface Isolation {
  readonly kind: IsolationKind;
  /** Whether the end of a run's first process ends all others of it, by itself. */
  readonly endsTogether: boolean;
  /** What all Pods share. To be called once, before anything else. */
  open(): Promise<void>;
  /** Addresses for a Pod. Others have those in `taken`. */
  addressFor(pod: PodSandbox, taken: ReadonlySet<string>): PodAddresses;
  /** Makes room for a Pod, or finds it. `alive` is the first process of one of its runs, where one runs. */
  openPod(pod: PodSandbox, addresses: PodAddresses, alive: number | undefined): Promise<void>;
  /** Takes the room away; none of the Pod's processes runs. */
  closePod(podUid: string): Promise<void>;
  /** Makes ready what the run needs on disk, in its folder, and says how to start it. */
  plan(pod: PodSandbox, spec: ContainerSpec, place: RunPlace): Promise<StartPlan | Refusal>;
  /** How to run a command beside the first process of a run. */
  planExec(run: ExecPlace, command: readonly string[]): ExecPlan;
  /** Takes away what all Pods share. Every Pod was closed. */
  takeDown(): Promise<void>;
}
