import type { OperatorApp, Verbs } from '../../app/operator-verbs.ts';
import type { Call } from '../command.ts';
import type { Exit } from '../exit-codes.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { worldOptions } from './call-options.ts';

/** What reaches the world: the one a test gave, or the program's own. */
export async function appOf({ app }: Terminal): Promise<OperatorApp> {
  return app ?? (await import('../../app/operator-app.ts')).operatorApp();
}

/** Connects, says what a person must know of that world, does the work, and lets go again whatever happens. */
export async function withVerbs(
  call: Call,
  terminal: Terminal,
  work: (verbs: Verbs) => Promise<Exit>,
): Promise<Exit> {
  const { verbs, warning, close } = await (await appOf(terminal)).connect(worldOptions(call));
  try {
    if (warning !== undefined) terminal.tell(`${terminal.paint.warn('warning:')} ${printable(warning)}\n`);
    return await work(verbs);
  } finally {
    await close();
  }
}

/** Aborted when a person says stop. Where nobody can, never. */
export function untilStopped({ untilStopped: begin }: Terminal): AbortSignal {
  return begin?.() ?? new AbortController().signal;
}
