import { CodedError } from '../../base/coded-error.ts';
import type { RunCommand } from '../command.ts';
import { textOption } from './call-options.ts';
import { carryOutVerb } from './carry-out.ts';

/** Brings a service back. */
export const run: RunCommand = (call, terminal) => {
  const to = revisionOf(textOption(call, 'to'));
  return carryOutVerb(call, terminal, verbs => verbs.rollback(call.words[0] ?? '', to));
};

/** The number of a revision, as a person writes it. */
export function revisionOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new CodedError('UsageInvalid', `"${text}" is not the number of a revision`);
}
