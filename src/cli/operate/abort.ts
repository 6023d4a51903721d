import type { RunCommand } from '../command.ts';
import { carryOutVerb } from './carry-out.ts';

/** Ends a plan, or the flow of one service, in its safest state. */
export const run: RunCommand = (call, terminal) =>
  carryOutVerb(call, terminal, verbs => verbs.abort(call.words[0]));
