/** Something a person might hand to the program, and what it must answer. */
export interface BadInput {
  readonly name: string;
  readonly words: readonly string[];
  readonly stdin?: string;
  /** The documented exit code. */
  readonly code: number;
  /**
   * `<code> <file> <line>:<column> <field>` of every finding, what is not there left out. The file is left out too where
   * it is the one that was named.
   */
  readonly want: readonly string[];
  /** More findings than those that are wanted are fine: one slip of this kind has many consequences. */
  readonly andMore?: true;
  /** A word that some advice must offer. */
  readonly suggests?: string;
}

/** The text of every secret in the bad inputs. It must appear in no output. */
export const secret = 'hunter2-secret';
