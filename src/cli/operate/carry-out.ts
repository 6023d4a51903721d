import type { Intent, Verbs } from '../../app/operator-verbs.ts';
import { CodedError } from '../../base/coded-error.ts';
import type { Call } from '../command.ts';
import type { Exit } from '../exit-codes.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { withVerbs } from './with-verbs.ts';

/** Says what it leads to, asks where that is due, does it, and says what was done. */
export async function carryOut(intent: Intent, call: Call, terminal: Terminal): Promise<Exit> {
  terminal.tell(intent.says.map(line => `${printable(line)}\n`).join(''));
  if (intent.asks && call.options['yes'] !== true && !(await agrees(terminal))) {
    terminal.tell('Nothing was done.\n');
    return 'waiting';
  }
  const done = await intent.carryOut();
  terminal.print(done.map(line => `${printable(line)}\n`).join(''));
  return 'ok';
}

async function agrees({ screen }: Terminal): Promise<boolean> {
  if (screen) return screen.ask('Do it?');
  throw new CodedError('UsageInvalid', 'there is no terminal to ask on: say --yes if it is meant');
}

/** Connects, finds out what is meant, and carries it out. */
export function carryOutVerb(
  call: Call,
  terminal: Terminal,
  intend: (verbs: Verbs) => Promise<Intent>,
): Promise<Exit> {
  return withVerbs(call, terminal, async verbs => carryOut(await intend(verbs), call, terminal));
}
