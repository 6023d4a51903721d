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
}
