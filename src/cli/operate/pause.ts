import type { RunCommand } from '../command.ts';
import { carryOutVerb } from './carry-out.ts';

/** Lets no further step start. */
export const run: RunCommand = (call, terminal) =>
  carryOutVerb(call, terminal, verbs => verbs.pause(call.words[0]));
