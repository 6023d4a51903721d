import { devNull } from 'node:os';
import { type BoundedEnd, runBounded } from '../bounded-process.ts';

/** How far one call of git may go. */
export interface GitBounds {
  readonly seconds: number;
  /** The most bytes of one file that git writes: of the pack it fetches. */
  readonly fileBytes: number;
  /** The most bytes of an answer. */
  readonly answerBytes: number;
  /** Protocols that may be spoken: `https`, `ssh`, `file`. */
  readonly protocols: readonly string[];
}

export type GitAnswer =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly because: string };

/** What git never does here: no hooks, no cleaning up in the background, no prompts, nothing of the machine's or a person's settings. */
const settings = [
  ...['core.hooksPath=/dev/null', 'gc.auto=0', 'maintenance.auto=false', 'fetch.unpackLimit=1'],
  ...[
    'credential.helper=',
    'core.askPass=/bin/false',
    'http.followRedirects=initial',
    'submodule.recurse=false',
  ],
].flatMap(setting => ['-c', setting]);

/**
 * Runs git in a folder, as a process group that is ended when its time is over, with next to no environment: where programs are, and that
 * nobody is asked anything. What it says of a failure is given in a line, without what stands before an `@` in an address.
 */
export async function runGit(
  folder: string,
  words: readonly string[],
  bounds: GitBounds,
  input = '',
): Promise<GitAnswer> {
  const { seconds, fileBytes, answerBytes, protocols } = bounds;
  const end = await runBounded({
    program: 'git',
    words: [...settings, ...words],
    folder,
    environment: {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      HOME: folder,
      LC_ALL: 'C',
      GIT_DIR: folder,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: devNull,
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: protocols.join(':'),
      GIT_SSH_COMMAND: 'ssh -o BatchMode=yes -o StrictHostKeyChecking=yes -o ConnectTimeout=20',
    },
    limits: { f: Math.ceil(fileBytes / 512) }, // in blocks of 512 bytes; git dies at a file that is larger
    ...{ seconds, answerBytes, input },
  });
  return end.kind === 'done' ? { ok: true, bytes: end.bytes } : { ok: false, because: whyNot(end, seconds) };
}

function whyNot(end: Exclude<BoundedEnd, { kind: 'done' }>, seconds: number): string {
  switch (end.kind) {
    case 'late':
      return `git took longer than ${seconds} seconds`;
    case 'too-much':
      return 'git answered with more than a package may have';
    case 'absent':
      return `git cannot be run: ${end.because}`;
    case 'failed':
      return lastWords(end.errors, end.code, end.signal);
  }
}

function lastWords(errors: string, code: number | null, signal: string | null): string {
  if (signal === 'SIGXFSZ' || /signal 25|File size limit/i.test(errors)) return 'the repository is too large';
  if (code === 127) return 'git is not installed here';
  const lines = errors
    .split('\n')
    .map(line => line.trim())
    .filter(line => /^(fatal|error|remote|ssh|Host key)/i.test(line));
  const said = lines[0] ?? `git ended with ${signal ?? code}`;
  return said
    .replace(/\/\/[^/@\s]+@/g, '//')
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, 300);
}
