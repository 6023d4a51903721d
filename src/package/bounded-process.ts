import { spawn } from 'node:child_process';

/** A program that works on something of a stranger, and how far it may go. */
export interface BoundedRun {
  readonly program: string;
  readonly words: readonly string[];
  readonly folder: string;
  /** All of its environment: nothing of ours goes along. */
  readonly environment: Readonly<Record<string, string>>;
  /** Limits as the shell sets them, by its letters: `{ f: 2048 }` is `ulimit -f 2048`. */
  readonly limits: Readonly<Record<string, number>>;
  readonly seconds: number;
  /** The most bytes of an answer. */
  readonly answerBytes: number;
  readonly input?: string;
}

/** How it ended. `errors` is the beginning and the end of what it wrote to standard error. */
export type BoundedEnd =
  | { readonly kind: 'done'; readonly bytes: Buffer; readonly errors: string }
  | {
      readonly kind: 'failed';
      readonly code: number | null;
      readonly signal: string | null;
      readonly errors: string;
    }
  | { readonly kind: 'late' }
  | { readonly kind: 'too-much' }
  | { readonly kind: 'absent'; readonly because: string };

/** Of what it wrote to standard error so many characters are kept, of the beginning and of the end. */
const keptErrors = 8 * 1024;

/** Runs a program as a process group that is ended, all of it, when its time is over or its answer too long. Never throws. */
export function runBounded(run: BoundedRun): Promise<BoundedEnd> {
  // The shell only sets the limits.
  const limits = Object.entries(run.limits).map(([letter, most]) => `ulimit -${letter} ${most} && `);
  const words = ['-c', `${limits.join('')}exec "$@"`, 'sh', run.program, ...run.words];
  const child = spawn('/bin/sh', words, {
    cwd: run.folder,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...run.environment },
  });
  return new Promise(resolve => {
    const pieces: Buffer[] = [];
    let [length, errors] = [0, ''];
    let ended: BoundedEnd | undefined;
    const end = (because: BoundedEnd) => {
      ended ??= because;
      // The whole group: what it started ends with it.
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, 'SIGKILL');
    };
    const timer = setTimeout(() => end({ kind: 'late' }), run.seconds * 1000);
    child.stdout.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length > run.answerBytes) end({ kind: 'too-much' });
      else pieces.push(piece);
    });
    child.stderr.on('data', (piece: Buffer) => {
      const all = `${errors}${piece.toString('utf8')}`;
      errors = all.length > 2 * keptErrors ? `${all.slice(0, keptErrors)}${all.slice(-keptErrors)}` : all;
    });
    child.stdin.on('error', () => {}); // it ended before it read all: its exit code tells
    child.stdin.end(run.input ?? '');
    child.on('error', error => {
      clearTimeout(timer);
      resolve({ kind: 'absent', because: error.message });
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const own: BoundedEnd =
        code === 0
          ? { kind: 'done', bytes: Buffer.concat(pieces), errors }
          : { kind: 'failed', code, signal, errors };
      resolve(ended ?? own);
    });
  });
}
