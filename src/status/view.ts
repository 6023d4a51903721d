import type { Impact } from '../api/fields.ts';
import type { FlowEnd, FlowKind, Question } from '../api/flow-kinds.ts';
import type { PlanState } from '../api/lifecycle-plan.ts';
import type { PhaseName } from '../api/phase-names.ts';

/** Impact is always two values. */
export interface TwoImpacts {
  readonly api: Impact;
  readonly workloads: Impact;
}

/** One service that serves clients, or should. */
export interface Serving {
  readonly service: string;
  /** The part of it, where it is about one: `nova.compute@zone-a`. */
  readonly part?: string;
  /** Nobody is served where this is empty. */
  readonly by: readonly {
    readonly version?: string;
    readonly revision?: number;
    readonly slices: readonly string[];
    /** Its share in percent, where two versions serve and it is known. */
    readonly percent?: number;
  }[];
  /** Whether it should be served: false for what was never installed or was removed on purpose. */
  readonly expected: boolean;
  /** Since when nobody is served. */
  readonly since?: string;
}

/** The one command that is recommended. */
export interface Recommended {
  readonly line: string;
  readonly why: string;
  /** How long it takes; 0 for what only shows something. */
  readonly takesSeconds: number;
  /** What it costs, in words. */
  readonly costs: string;
}

/** The five facts every status, stop and notification begins with. */
export interface FiveFacts {
  readonly serving: readonly Serving[];
  readonly failing: {
    readonly answer: 'yes' | 'no' | 'unknown';
    readonly text: string;
    readonly impact: TwoImpacts;
  };
  readonly safe: { readonly answer: boolean; readonly because: readonly string[] };
  readonly next: { readonly text: readonly string[]; readonly at?: string };
  readonly command?: Recommended;
}

/** One word on where a service is. */
export type StateWord =
  | 'Absent'
  | 'Operational'
  | 'InFlow'
  | 'GoingBack'
  | 'Soaking'
  | 'Asking'
  | 'Held'
  | 'Withdrawn'
  | 'Unsettled'
  | 'Irreconcilable'
  | 'Paused';

/** Why something does not go on: one word for programs, a sentence for people. */
export interface Wait {
  readonly reason: string;
  readonly message: string;
  /** What a person can do about it, where there is something. */
  readonly advice?: string;
}

/** One thing a phase does. */
export interface ThingView {
  readonly name: string;
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  readonly message?: string;
}

/** One move of a flow with its phase. */
export interface MoveView {
  readonly id: string;
  readonly phase: PhaseName;
  readonly says: string;
  readonly state: 'running' | 'done' | 'failed';
  readonly message?: string;
  readonly seconds?: number;
  readonly things: readonly ThingView[];
  /** What clients got meanwhile, slice by slice. */
  readonly traffic: readonly {
    readonly slice: string;
    readonly weight: number;
    readonly requests: number;
    readonly errors: number;
    readonly inFlight?: number;
  }[];
}

/** One flow that runs, asks, or ended last. */
export interface FlowView {
  readonly name: string;
  readonly service: string;
  /** The step, where a plan asked for it. */
  readonly step?: string;
  readonly kind: FlowKind | string;
  readonly from?: string;
  readonly to?: string;
  readonly state: 'running' | 'soaking' | 'asking' | 'ended';
  readonly end?: FlowEnd;
  readonly because?: string;
  readonly question?: {
    readonly question: Question;
    readonly because: string;
    /** What a yes would drop, a line a table. */
    readonly losses: readonly string[];
  };
  /** A yes that waits for a maintenance window, and can be taken back until then. */
  readonly heard?: { readonly question: Question; readonly until?: string };
  readonly phase?: PhaseName;
  readonly bar: { readonly done: number; readonly known: number };
  readonly elapsedSeconds?: number;
  readonly estimateSeconds?: number;
  readonly leftSeconds?: number;
  readonly soakUntil?: string;
  /** From when on clients may have written what a restore would lose. */
  readonly writesSince?: string;
  readonly moves: readonly MoveView[];
}

/** One service of the record, or one that still runs. */
export interface ServiceView {
  readonly name: string;
  /** The version that serves; absent where nobody is served. */
  readonly serves?: string;
  readonly revision?: number;
  /** The version the record says; absent where the record does not have the service. */
  readonly wanted?: string;
  readonly state: StateWord;
  /** One word on why, as in the conditions. */
  readonly reason: string;
  readonly waits: readonly Wait[];
  readonly hold?: { readonly end: FlowEnd; readonly because: string; readonly target?: string };
  readonly flow?: FlowView;
}

/** The plan that counts. */
export interface PlanView {
  readonly name: string;
  readonly state: PlanState;
  readonly digest: string;
  readonly steps: number;
  readonly done: number;
  readonly estimateSeconds: number;
  readonly impact: TwoImpacts;
  readonly approval: {
    readonly needed: boolean;
    readonly by?: string;
    readonly expiresAt?: string;
    /** Consents that are still missing, as `--consent` takes them: `nova/uninstall=purge`. */
    readonly missing: readonly string[];
  };
  /** Stages with a gate that a person has not opened. */
  readonly closedStages: readonly string[];
  readonly waits: readonly (Wait & { readonly service?: string })[];
}

/** What a person is shown of one cloud: computed once, printed by the commands, sent by the server, drawn by the console. */
export interface View {
  /** Absent where there is no record. */
  readonly cloud?: string;
  readonly namespace?: string;
  readonly at: string;
  readonly facts: FiveFacts;
  /** Why nothing can be made of the record as it is. */
  readonly waits: readonly Wait[];
  readonly services: readonly ServiceView[];
  readonly plan?: PlanView;
}
