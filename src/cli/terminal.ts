import type { OperatorApp } from '../app/operator-verbs.ts';
import type { Paint } from '../base/paint.ts';

/** What a command sees of the world outside: given to it, so that a test can give it another one. */
export interface Terminal {
  /** The result: what a pipe wants. */
  readonly print: (text: string) => void;
  /** What is said beside the result. */
  readonly tell: (text: string) => void;
  readonly paint: Paint;
  /** The folder paths are relative to. */
  readonly folder: string;
  readonly readStdin: () => Promise<string>;
  /** A person who sees and can be asked; absent where there is none, and then nothing is asked. */
  readonly screen?: Screen;
  /** Aborted when a person says stop (Ctrl-C) from now on; called once by a command that goes on until then. */
  readonly untilStopped?: () => AbortSignal;
  /** What reaches the world; the program's own where it is absent. */
  readonly app?: OperatorApp;
}

/** A screen with a person before it. */
export interface Screen {
  /** Shows these lines in place of those it showed before. */
  readonly redraw: (lines: readonly string[]) => void;
  /** Asks; only a clear yes is one. */
  readonly ask: (question: string) => Promise<boolean>;
}
