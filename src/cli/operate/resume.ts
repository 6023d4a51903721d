import type { RunCommand } from '../command.ts';
import { carryOutVerb } from './carry-out.ts';

/** Lets a paused plan go on. */
export const run: RunCommand = (call, terminal) =>
  carryOutVerb(call, terminal, verbs => verbs.resume(call.words[0]));
