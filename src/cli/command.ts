import type { Exit } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** An option of a command. Words with `choices` complete themselves. */
export interface CommandOption {
  /** As commander writes it: `-o, --output <format>`. */
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  /** The option takes a path, so that completion offers files. */
  readonly path?: true;
  /** The option may be given several times; its value is a list. */
  readonly many?: true;
}

/** What a command was called with. */
export interface Call {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
}

/** A command: parse, call, print. */
export type RunCommand = (call: Call, terminal: Terminal) => Promise<Exit>;

/** Everything about a command but its code. Help, completion and the reference page are made from it. */
export interface CommandFacts {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** As commander writes it: `<files...>`. */
  readonly argument?: {
    readonly flags: string;
    readonly description: string;
    readonly choices?: readonly string[];
  };
  readonly options: readonly CommandOption[];
  /** It is about a world that runs, so that without one it can only say so. */
  readonly needsWorld?: true;
  readonly examples: readonly { readonly line: string; readonly does: string }[];
}
