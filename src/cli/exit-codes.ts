import { type ErrorClass, type ErrorCode, errorCatalog } from '../api/error-catalog.ts';

/** What the exit code of every command means. A pipeline may decide by it. */
export const exitCodes = {
  ok: { code: 0, means: 'Done. For `plan`: there is nothing to do.' },
  failed: { code: 1, means: 'Afloat itself failed; the message says how to report it.' },
  changes: { code: 2, means: '`plan` only: there are changes to carry out.' },
  invalid: {
    code: 3,
    means:
      'The input is wrong: record, package, manifest, state file, kubeconfig or folder. Every finding was printed.',
  },
  refused: {
    code: 4,
    means:
      'The input is well formed, but it cannot be done: no plan can be made of it, it does not fit what runs now, or the account may not do it. Every reason was printed.',
  },
  waiting: {
    code: 5,
    means:
      'It waits for a person: an approval, an answer, a gate, the `retry` of what is held. For `doctor`: a check failed.',
  },
  undone: {
    code: 6,
    means:
      'A change failed, or was ended by a person, and was taken back as far as that is safe; `afloat status` says more.',
  },
  unavailable: {
    code: 7,
    means:
      'The world cannot be used now: nothing is up, nothing answers, or another process has it. The same command may work later.',
  },
  usage: {
    code: 64,
    means:
      'The command was called with words it does not know, or without `--yes` where nobody can be asked.',
  },
} as const satisfies Record<string, { code: number; means: string }>;

/** An exit by its name. */
export type Exit = keyof typeof exitCodes;

/** How a command ends that an error of a class stopped. */
const exitOfClass: Record<ErrorClass, Exit> = {
  terminal: 'invalid',
  wait: 'unavailable',
  retry: 'unavailable',
  bug: 'failed',
};

/** Errors that say something else than their class does. */
const exitOfCode: { readonly [Code in ErrorCode]?: Exit } = {
  UsageInvalid: 'usage',
  NotNow: 'refused', // nothing is wrong with the words; they do not fit what runs
  ClusterForbidden: 'refused',
  ClusterUnauthorized: 'refused',
  ClusterNotFound: 'refused', // it was there when it was looked for
  ClusterAlreadyExists: 'refused',
};

/** The exit of a command that was stopped by an error. */
export function exitOfError(code: ErrorCode): Exit {
  return exitOfCode[code] ?? exitOfClass[errorCatalog[code].class];
}
