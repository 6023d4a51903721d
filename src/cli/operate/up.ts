import type { RunCommand } from '../command.ts';
import { printable } from '../printable.ts';
import { textOption } from './call-options.ts';
import { appOf, untilStopped } from './with-verbs.ts';

/** Starts the world of this machine and stays with it, or leaves it running. */
export const run: RunCommand = async (call, terminal) => {
  const state = textOption(call, 'state');
  const isolation = textOption(call, 'isolation');
  const routers = textOption(call, 'routers');
  const request = {
    ...(state === undefined ? {} : { state }),
    ...(isolation === undefined ? {} : { isolation }),
    ...(routers === undefined ? {} : { routers }),
    detach: call.options['detach'] === true,
  };
  const app = await appOf(terminal);
  await app.up(request, line => terminal.print(`${printable(line)}\n`), untilStopped(terminal));
  return 'ok';
};
