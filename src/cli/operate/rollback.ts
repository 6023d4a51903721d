import type { Verbs } from '../../app/operator-verbs.ts';
import { CodedError } from '../../base/coded-error.ts';
import { outcomeOfReturn } from '../../status/outcome-of-return.ts';
import type { Call, RunCommand } from '../command.ts';
import type { Terminal } from '../terminal.ts';
import { textOption, waits } from './call-options.ts';
import { type Afterwards, carryOutVerb } from './carry-out.ts';
import { exitOf, followChange, progressTerminal } from './follow-change.ts';
import { untilStopped } from './with-verbs.ts';

/** Brings a service back, and follows it there where that is wanted. */
export const run: RunCommand = (call, terminal) => {
  const to = revisionOf(textOption(call, 'to'));
  return carryOutVerb(
    call,
    terminal,
    verbs => verbs.rollback(call.words[0] ?? '', to),
    waits(call, terminal) ? verbs => followBack(verbs, call, terminal) : undefined,
  );
};

function followBack(verbs: Verbs, call: Call, terminal: Terminal): Afterwards {
  return async ({ leadsTo }) => {
    if (!leadsTo) return { exit: 'ok', outcome: 'done' };
    const outcome = await followChange(verbs, progressTerminal(call, terminal), {
      signal: untilStopped(terminal),
      needsOperator: true,
      standing: ({ objects }) => outcomeOfReturn(objects, leadsTo),
    });
    return { exit: exitOf[outcome], outcome };
  };
}

/** The number of a revision, as a person writes it. */
export function revisionOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new CodedError('UsageInvalid', `"${text}" is not the number of a revision`);
}
