import type { Finding } from '../api/finding.ts';
import type { Waiting } from '../api/lifecycle-plan.ts';
import type { ClusterObject } from '../cluster/cluster.ts';
import type { Check } from '../status/cloud-checks.ts';
import type { CloudObjects } from '../status/cloud-objects.ts';
import type { ObjectDifference } from '../status/compare-inventories.ts';
import type { LedTo } from '../status/outcome-of-return.ts';
import type { View } from '../status/view.ts';

/** The objects of one cloud at one moment, and what a person is shown of them. */
export interface Snapshot {
  readonly objects: CloudObjects;
  readonly view: View;
}

/**
 * Something a person wants done, before it is done: what it leads to can be read, shown and agreed to first. Nothing has been
 * written yet; `carryOut` writes, once, and gives what was done, a sentence a line.
 */
export interface Intent {
  /** What it will lead to, a sentence a line. */
  readonly says: readonly string[];
  /** Whether a person must agree before it is carried out. */
  readonly asks: boolean;
  /** What carries it out afterwards, where that can be followed: a plan, or flows, by name. */
  readonly leadsTo?: LedTo;
  carryOut(): Promise<readonly string[]>;
}

/** Where a record is read from. */
export interface RecordRequest {
  readonly paths: readonly string[];
  /** The folder that paths are relative to. */
  readonly folder: string;
  readonly stdin: string;
}

/** What is to be applied. */
export interface ApplyRequest extends RecordRequest {
  /** Why, in the words of a person; kept as an annotation of the record. */
  readonly message?: string;
}

/** What became of an apply. With findings nothing was written. */
export type Applied =
  | {
      readonly findings: readonly Finding[];
      readonly refused: boolean;
    }
  | {
      readonly cloud: string;
      readonly namespace: string;
      /** The generation of the record now: a plan for it has the same. */
      readonly generation: number;
      /** Whether the record was other than before. */
      readonly changed: boolean;
      readonly packages: number;
      /** What the record asks for and will not happen now: services that are held, stuck, paused or busy, each with what to do. */
      readonly waiting: readonly Waiting[];
      /** Plans that were over before it was applied, by name. */
      readonly formerPlans: readonly string[];
    };

/** What became of a push. With findings nothing was written. */
export type Pushed =
  | { readonly findings: readonly Finding[]; readonly refused: boolean }
  | {
      readonly namespace: string;
      readonly packages: readonly { readonly location: string; readonly digest: string }[];
    };

/** What is adopted. */
export interface AdoptRequest {
  /** Helm releases, by name; all of the namespace where there are none. */
  readonly releases: readonly string[];
  /** The name of the record, where there is none yet; that of the namespace where it is absent. */
  readonly cloud?: string;
  /** In whose name the services are changed from then on. */
  readonly serviceAccount?: string;
}

/** What adopting leads to, with the record as it shall be; or why it cannot be done. */
export type Adoption =
  | { readonly findings: readonly Finding[] }
  | (Intent & { readonly record: ClusterObject });

/** What is approved. What is absent is left as it is. */
export interface ApproveRequest {
  /** The plan; the one that counts where it is absent. */
  readonly plan?: string;
  /** The digest, or its beginning (at least eight digits): refused where the plan has another. */
  readonly digest?: string;
  /** `<step>=<consent>` */
  readonly consents: readonly string[];
  readonly stages: readonly string[];
  /** `<service>:<question>=yes|no` */
  readonly answers: readonly string[];
  /** `<service>=<number>`: so many requests that take too long may be cut. */
  readonly cuts?: readonly string[];
}

/** Whose output is wanted. */
export interface LogRequest {
  readonly service: string;
  /** Only tasks or phases with this in their name. */
  readonly task?: string;
  /** Go on until the signal says stop. */
  readonly follow: boolean;
  /** Of the run before the one that is now. */
  readonly previous: boolean;
  /** Only what was written since then. */
  readonly since?: Date;
  /** With the time before each line. */
  readonly timestamps?: boolean;
}

/** A line that a container wrote. */
export interface LogLine {
  /** `pod/container` */
  readonly from: string;
  readonly text: string;
}

/** What the record says against what runs, service by service. */
export interface CloudDifference {
  readonly services: readonly {
    readonly service: string;
    readonly wanted?: string;
    readonly serves?: string;
    /** Objects that the plan that counts would change, or that ought to be there and are not. */
    readonly objects: readonly ObjectDifference[];
  }[];
}

/** What a person can do with one cloud. Every verb reads what is there anew; each throws `CodedError`s only. */
export interface Verbs {
  look(): Promise<Snapshot>;
  /** What is there now, then again whenever something changed and at least every second; ends with the signal, never throws for an outage. */
  follow(signal: AbortSignal): AsyncIterable<Snapshot>;
  /** Checks record and packages, brings the packages into the cluster and applies the record. Where anything is wrong nothing is written. */
  apply(request: ApplyRequest): Promise<Applied>;
  /** The same without the record: checks it and brings its packages into the cluster. */
  push(request: RecordRequest): Promise<Pushed>;
  /** Makes a record and first revisions of Helm releases that run. Nothing that runs is touched. */
  adopt(request: AdoptRequest): Promise<Adoption>;
  /** A plan's digest, consents, gates of stages, and answers to questions; each only if it is asked for. */
  approve(request: ApproveRequest): Promise<Intent>;
  /** No further step of the plan under way starts; what runs goes on to its end. Refused where another plan is named. */
  pause(plan?: string): Promise<Intent>;
  resume(plan?: string): Promise<Intent>;
  /** The plan, or only the flow of one service, goes to its safest state and ends. */
  abort(service?: string): Promise<Intent>;
  /** Releases the hold of a service, so that what the record says is tried again. */
  retry(service: string): Promise<Intent>;
  /** Moves traffic back while the service soaks; a plan that goes back to a revision otherwise. */
  rollback(service: string, toRevision?: number): Promise<Intent>;
  /** Makes the plan that contracts the databases of a service, and approves it: the point of no return of its last upgrade. */
  contract(service: string): Promise<Intent>;
  /** Lines of the tasks of the running or last flow, and of the service's own pods. */
  logs(request: LogRequest, signal: AbortSignal): AsyncIterable<LogLine>;
  diff(): Promise<CloudDifference>;
}

/** Where the world is. Without a kubeconfig, by option or in `AFLOAT_KUBECONFIG`: the embedded one in the state folder. */
export interface WorldOptions {
  readonly state?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
}

/** A world that was reached. `close` lets go of it and ends nothing. */
export interface Connection {
  readonly verbs: Verbs;
  /** One line that a person must know whatever is asked of this world. */
  readonly warning?: string;
  /** What a doctor looks at in this world beside the objects of the cloud; absent where there is nothing. */
  check?(): Promise<readonly Check[]>;
  close(): Promise<void>;
}

/** How the embedded world is started. */
export interface UpRequest {
  readonly state?: string;
  readonly isolation?: string;
  /** The file that says where routers are. */
  readonly routers?: string;
  /** Returns as soon as it answers, and leaves the manager running. */
  readonly detach: boolean;
}

/** How the embedded world is ended. */
export interface DownRequest {
  readonly state?: string;
  /** Every process of every Pod too, and the forwarder. */
  readonly all: boolean;
}

/** Everything the commands for a running world need. The program has one; tests bring their own. */
export interface OperatorApp {
  /** Throws `NotUp` or `ClusterUnreachable` where nothing answers, `NotInstalled` where a cluster does not know our kinds. */
  connect(options: WorldOptions): Promise<Connection>;
  /** Starts the embedded world and tells what it does and where, a line each; unless detached it returns when the signal says stop. */
  up(request: UpRequest, tell: (line: string) => void, signal: AbortSignal): Promise<void>;
  /** What ending it leads to; carried out when agreed to. */
  down(request: DownRequest): Promise<Intent>;
  /** This machine and the world on it: Node, isolation, folder, room, manager, store, forwarder. Never throws. */
  checkMachine(options: WorldOptions): Promise<readonly Check[]>;
}
