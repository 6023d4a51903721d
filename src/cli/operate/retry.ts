import type { RunCommand } from '../command.ts';
import { carryOutVerb } from './carry-out.ts';

/** Releases the hold of a service. */
export const run: RunCommand = (call, terminal) =>
  carryOutVerb(call, terminal, verbs => verbs.retry(call.words[0] ?? ''));
