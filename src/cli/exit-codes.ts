/** What the exit code of every command means. A pipeline may decide by it. */
export const exitCodes = {
  ok: { code: 0, means: 'Done. For `plan`: there is nothing to do.' },
  failed: { code: 1, means: 'Afloat itself failed; the message says how to report it.' },
  changes: { code: 2, means: '`plan` only: there are changes to carry out.' },
  invalid: {
    code: 3,
    means: 'The input is wrong: record, package, manifest or state file. Every finding was printed.',
  },
  refused: {
    code: 4,
    means: 'The input is well formed, but no plan can be made of it. Every reason was printed.',
  },
  waiting: {
    code: 5,
    means: 'It waits for a person: an approval, an answer, a gate. For `doctor`: a check failed.',
  },
  undone: {
    code: 6,
    means:
      'A change failed, or was ended by a person, and was taken back as far as that is safe; `afloat status` says more.',
  },
  usage: { code: 64, means: 'The command was called with words it does not know.' },
} as const satisfies Record<string, { code: number; means: string }>;

/** An exit by its name. */
export type Exit = keyof typeof exitCodes;
