/**
 * Containers: the one door to processes. What a container runtime is to a kubelet.
 *
 * In: Pods to make room for, containers to start and end. Out: what became of them, also of those that an earlier process of ours
 * started. Never: knows a restart policy, a probe or the cluster; forgets an exit code; touches a process that is not ours.
 *
 * All is kept in files under the state folder, so that every method may be called again after a crash at any line:
 * `openPod` and `start` find what they made before.
 */

/** How Pods are kept apart: namespaces of their own (root), or a loopback address of their own. */
export type IsolationKind = 'namespaces' | 'loopback';

/** The Pod that containers belong to. */
export interface PodSandbox {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly hostname: string;
  /** Uses the address of the machine. */
  readonly hostNetwork: boolean;
}

/** Where a Pod is, once there is room for it. */
export interface OpenPod {
  /** Its address; other Pods, Services and the machine reach it there. */
  readonly ip: string;
  /** The machine's address as Pods see it. */
  readonly hostIp: string;
  /** A folder for the Pod: whoever fills volumes, hosts file and the like puts them here. Gone with the Pod. */
  readonly folder: string;
}

/** One run of one container: another run has another attempt. */
export interface ContainerId {
  readonly podUid: string;
  readonly name: string;
  readonly attempt: number;
}

/** A file or folder that a container sees at another place. */
export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly readOnly: boolean;
}

export interface ContainerSpec extends ContainerId {
  /** The program and its arguments; not empty. Looked for in PATH of `env`, in the container's root. */
  readonly command: readonly string[];
  /** The whole environment. `POD_IP` and `POD_ROOT` are added: `POD_ROOT` is '' where mounts are where the manifest says. */
  readonly env: Readonly<Record<string, string>>;
  readonly workingDir?: string;
  /** A folder that is the container's root; without it, the machine's. Only where Pods have namespaces. */
  readonly root?: string;
  readonly mounts: readonly Mount[];
  /** Numeric user and group; without them, those of this process. */
  readonly user?: number;
  readonly group?: number;
}

/** What became of one run. Times are ISO texts with seconds. */
export type ContainerState =
  | { readonly is: 'starting' }
  | { readonly is: 'running'; readonly pid: number; readonly startedAt: string }
  | {
      readonly is: 'ended';
      /** As a shell counts: 128 + n when ended by signal n. */
      readonly exitCode: number;
      readonly startedAt: string;
      readonly finishedAt: string;
      /**
       * `StartError`: the program could not be run (exit code 128). `ContainerStatusUnknown`: the shim was killed, or the machine went
       * down; what it started was ended (exit code 137).
       */
      readonly problem?: 'StartError' | 'ContainerStatusUnknown';
      readonly message?: string;
    };

export interface ExecResult {
  readonly exitCode: number;
  /** The end of what it wrote, both outputs, at most 4 KiB. */
  readonly output: string;
  readonly timedOut: boolean;
}

export interface LogOptions {
  /** Only so many lines from the end. */
  readonly tailLines?: number;
  /** Only what was written since then. */
  readonly since?: Date;
  /** With the time before each line. */
  readonly timestamps?: boolean;
  /** Goes on with what is written, until the container has ended or the signal says stop. */
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
}

export interface Containers {
  readonly isolation: IsolationKind;
  /** Takes up everything that an earlier process left: what runs, runs on. To be called once, before anything else. */
  adopt(): Promise<void>;
  /** Room for a Pod; the same answer each time. Throws a `CodedError` where it cannot be had. */
  openPod(pod: PodSandbox): Promise<OpenPod>;
  /** Ends whatever still runs of it and takes its room away, with all its files but hostPaths and kept volumes. */
  closePod(podUid: string): Promise<void>;
  /** Every Pod that has room, with the runs of its containers, oldest first. */
  pods(): readonly {
    readonly pod: PodSandbox;
    readonly room: OpenPod;
    readonly runs: readonly ContainerId[];
  }[];
  /** Starts it, or finds that it was started. Never twice. A program that cannot be run is an `ended` with `StartError`. */
  start(spec: ContainerSpec): Promise<void>;
  /** What became of a run; undefined where it was never started. Cheap: from memory. */
  state(id: ContainerId): ContainerState | undefined;
  /** Sends a signal to the first process of a run. False when it has ended. */
  signal(id: ContainerId, signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGQUIT' | 'SIGKILL'): boolean;
  /** Ends every process of a run, children that went their own way included; returns when none is left. */
  kill(id: ContainerId): Promise<void>;
  /** Runs a program in the container, as a probe or a hook does. */
  exec(id: ContainerId, command: readonly string[], timeoutSeconds: number): Promise<ExecResult>;
  logs(id: ContainerId, options?: LogOptions): AsyncIterable<Buffer>;
  /** Takes away the files of a run that has ended; what is needed of it was read. */
  forget(id: ContainerId): Promise<void>;
  /** Told when a run began or ended. */
  onChange(listener: (podUid: string) => void): void;
  /** Lets go: stops looking, ends nothing. */
  close(): Promise<void>;
}
