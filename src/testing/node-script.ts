import type { Waiting } from '../runtime/pod/decide/next-steps.ts';
import type { Container, Pod } from '../runtime/pod/pod-shape.ts';

/** What a container of a script does when it is started. */
export type RunOutcome =
  /** Ends after that time, with that exit code, and leaves these words. */
  | { readonly exitCode: number; readonly seconds: number; readonly result?: string; readonly log?: string }
  /** Runs on, ready or not. */
  | { readonly serves: boolean }
  /** Cannot be started, as a kubelet says it: `ImagePullBackOff`. Asked again in the next tick. */
  | { readonly waiting: Waiting };

/** Which run is asked about. */
export interface StartedRun {
  readonly pod: Pod;
  readonly container: Container;
  /** Who made the Pod; undefined for one that stands alone. */
  readonly owner: { readonly kind: string; readonly name: string } | undefined;
  readonly effect: string | undefined;
  /** 0 for the first run of the container in this Pod. */
  readonly attempt: number;
}

/** What becomes of a run. Undefined: what is to end ends well and at once, what is to serve serves. */
export type Script = (run: StartedRun) => RunOutcome | undefined;
