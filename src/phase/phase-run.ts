import type { DataLoss } from '../api/data-loss.ts';
import type { Finding } from '../api/finding.ts';
import type { PlanStep } from '../api/lifecycle-plan.ts';
import type { LifecycleImage, PackageLifecycle } from '../api/package-lifecycle.ts';
import type { PhaseMove, PhaseProgress, TrafficStatus } from '../api/phase-kinds.ts';
import type { Backup, InventoryItem, SchemaState } from '../api/service-revision.ts';
import type { Cluster, OwnerReference } from '../cluster/cluster.ts';
import type { DataDriver } from '../data/data.ts';
import type { Drivers } from '../driver/driver.ts';
import type { RenderedObject } from '../package/package.ts';
import type { Traffic } from '../traffic/traffic.ts';

/** The rendered manifests of one component or host group at one version. `${slice}` stands as `sliceMark` until they are written. */
export interface PartBundle {
  readonly service: string;
  readonly component: string;
  readonly hostGroup?: string;
  readonly version: string;
  readonly packageDigest: string;
  readonly lifecycle: PackageLifecycle;
  readonly objects: readonly Omit<RenderedObject, 'because'>[];
  /** The same objects as they were found, of a service that was running before Afloat knew of it. */
  readonly found?: readonly Omit<RenderedObject, 'because'>[];
  readonly images: readonly LifecycleImage[];
  readonly inventory: readonly InventoryItem[];
  /**
   * The slices it runs in, where those are not known by its side: parts that changed one by one may be in different ones. None at all: it runs
   * as it was found.
   */
  readonly slices?: readonly string[];
}

/** One of the two versions a flow is about. */
export interface VersionSide {
  readonly parts: readonly PartBundle[];
  /** The slices of it, in the order a rolling change walks through them. */
  readonly slices: readonly string[];
}

/** Everything one pass of a phase goes by. */
export interface PhaseRun {
  /** The name of the phase object: the names of its tasks derive from it. */
  readonly name: string;
  readonly namespace: string;
  readonly service: string;
  readonly oslc: string;
  /** The phase object, which owns its tasks. */
  readonly owner: OwnerReference;
  readonly phase: RenderedObject['phases'][number];
  readonly move: PhaseMove;
  readonly step: PlanStep;
  readonly old: VersionSide;
  readonly new: VersionSide;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly startedAt: number;
  /** When this manager took it on, where that is known: it may have started long before, and nobody looked in between. */
  readonly claimedAt?: number;
  /** What an earlier pass of this phase wrote down. */
  readonly traffic: TrafficStatus | undefined;
  /** What the flow knows of its databases: as it found or left them. */
  readonly schemas: readonly SchemaState[];
  /** Databases whose last change did not come to its end: what a backup of them holds is not sure. */
  readonly unsure?: readonly string[];
  /** Backups this flow took. */
  readonly backups: readonly Backup[];
  /** Whether a restore must not drop what was written since the backup: clients could write, and nobody consented. */
  readonly keepsWrites: boolean;
  /** Backups that the revision that is returned to works on. */
  readonly restoreFrom: readonly Backup[];
  /** The backups of all revisions that one can go back to. */
  readonly keptBackups: readonly Backup[];
  /** Until when the soak lasts. */
  readonly soakUntil: number | undefined;
  readonly endSoak: boolean;
  /** So many requests that take too long a person lets be cut. */
  readonly cutsAtMost: number;
  /** A person wants out. */
  readonly aborted: boolean;
  /** Tells the runs of one task apart where a phase repeats it: the moment it was due. */
  readonly taskKey?: string;
}

/**
 * Whether somebody takes a connection at an address, seen from where the manager is. Undefined where nothing comes back: an address of a
 * Service may be out of reach from there, and that says nothing about who is nearer.
 */
export type Answers = (address: string, port: number) => Promise<boolean | undefined>;

/** What phases act through. */
export interface PhasePorts {
  /** Writes in the name of the record's account. */
  readonly cluster: Cluster;
  readonly drivers: Drivers;
  readonly traffic: Traffic;
  readonly data: (driver: string) => DataDriver | undefined;
  /** Makes the images of a package known where there is no container engine. */
  readonly prepareImages: (namespace: string, part: PartBundle) => Promise<readonly Finding[]>;
  /** Asks for a path at an address, before clients do; false while it does not answer. */
  readonly warmUp: (url: string) => Promise<boolean>;
  readonly answers: Answers;
}

/** Where one act, or the whole of a phase, is. */
export type Outcome =
  | { readonly kind: 'done' }
  | {
      readonly kind: 'wait';
      readonly reason: string;
      readonly message: string;
      /** When to look again, where no change of an object will tell. */
      readonly afterSeconds?: number;
    }
  | { readonly kind: 'failed'; readonly reason: string; readonly message: string };

/** What acts write down on the way, for the status. */
export interface Notes {
  readonly progress: PhaseProgress[];
  traffic?: TrafficStatus;
  readonly backups: Backup[];
  readonly schemas: SchemaState[];
  readonly losses: DataLoss[];
  /** What runs once and is done, of a phase or a flow that somebody wrote by hand. */
  done?: string[];
}

export interface PhaseOutcome {
  readonly outcome: Outcome;
  readonly notes: Notes;
}

/** One thing a phase does: looks where it is, does what is missing, and tells. May be cut off anywhere and called again. */
export type Act = (run: PhaseRun, ports: PhasePorts, notes: Notes) => Promise<Outcome>;

export const done: Outcome = { kind: 'done' };

/** The side a move is about. */
export function sideOf(run: PhaseRun): VersionSide {
  return run.move.side === 'old' ? run.old : run.new;
}

/** The other side. */
export function otherSideOf(run: PhaseRun): VersionSide {
  return run.move.side === 'old' ? run.new : run.old;
}
