import type { RunCommand } from '../command.ts';
import { textOption } from './call-options.ts';
import { carryOut } from './carry-out.ts';
import { appOf } from './with-verbs.ts';

/** Ends the world of this machine. */
export const run: RunCommand = async (call, terminal) => {
  const state = textOption(call, 'state');
  const request = { ...(state === undefined ? {} : { state }), all: call.options['all'] === true };
  return carryOut(await (await appOf(terminal)).down(request), call, terminal);
};
