import type { Intent, Verbs } from '../../app/operator-verbs.ts';
import { CodedError } from '../../base/coded-error.ts';
import type { Call } from '../command.ts';
import type { Exit } from '../exit-codes.ts';
import { printable } from '../printable.ts';
import { isStructured, structured } from '../structured.ts';
import type { Terminal } from '../terminal.ts';
import { withVerbs } from './with-verbs.ts';

/** What is to be done once an intent was carried out: an exit of its own, and what programs are told of it. */
export type Afterwards = (intent: Intent) => Promise<{ readonly exit: Exit; readonly outcome: string }>;

/** Says what it leads to, asks where that is due, does it, and says what was done. Programs get both in one value. */
export async function carryOut(
  intent: Intent,
  call: Call,
  terminal: Terminal,
  afterwards?: Afterwards,
): Promise<Exit> {
  const { output } = call.options;
  const { says } = intent;
  const asks = intent.asks && call.options['yes'] !== true;
  // Who is asked reads it first; a program reads it in the result.
  if (!isStructured(output) || (asks && terminal.screen))
    terminal.tell(says.map(line => `${printable(line)}\n`).join(''));
  if (asks && !(await agrees(terminal))) {
    if (isStructured(output)) terminal.print(structured({ says, done: [] }, output));
    terminal.tell('Nothing was done.\n');
    return 'waiting';
  }
  const done = await intent.carryOut();
  if (!isStructured(output)) terminal.print(done.map(line => `${printable(line)}\n`).join(''));
  const after = await afterwards?.(intent);
  const outcome = after === undefined ? {} : { outcome: after.outcome };
  if (isStructured(output)) terminal.print(structured({ says, done, ...outcome }, output));
  return after?.exit ?? 'ok';
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
  afterwards?: (verbs: Verbs) => Afterwards,
): Promise<Exit> {
  return withVerbs(call, terminal, async verbs =>
    carryOut(await intend(verbs), call, terminal, afterwards?.(verbs)),
  );
}
