import { type Check, cloudChecks } from '../../status/cloud-checks.ts';
import type { Call, RunCommand } from '../command.ts';
import { printable } from '../printable.ts';
import { failureOf } from '../say-failure.ts';
import { isStructured, structured } from '../structured.ts';
import type { Terminal } from '../terminal.ts';
import { worldOptions } from './call-options.ts';
import { appOf } from './with-verbs.ts';

/** Looks at machine and world, and says of each thing whether it is well. */
export const run: RunCommand = async (call, terminal) => {
  const app = await appOf(terminal);
  const checks = [...(await app.checkMachine(worldOptions(call))), ...(await worldChecks(call, terminal))];
  const { output } = call.options;
  if (isStructured(output)) terminal.print(structured({ checks }, output));
  else terminal.print(checks.map(check => lineOf(check, terminal)).join(''));
  return checks.some(({ state }) => state === 'failed') ? 'waiting' : 'ok';
};

/** What the objects tell; that nothing answers is a check that failed, not a failure of the command. */
async function worldChecks(call: Call, terminal: Terminal): Promise<Check[]> {
  try {
    const { verbs, check, close } = await (await appOf(terminal)).connect(worldOptions(call));
    try {
      const { objects, view } = await verbs.look();
      const world: Check = { name: 'world', state: 'ok', says: 'it answers' };
      return [world, ...((await check?.()) ?? []), ...cloudChecks(objects, view)];
    } finally {
      await close();
    }
  } catch (error) {
    const { code, message, advice } = failureOf(error).finding;
    return [{ name: 'world', state: 'failed', says: `${message} (${code})`, advice }];
  }
}

function lineOf({ name, state, says, advice }: Check, { paint }: Terminal): string {
  const paints = { ok: paint.good, warning: paint.warn, failed: paint.bad };
  const more =
    advice === undefined || state === 'ok' ? '' : `${' '.repeat(9)}${paint.faint(printable(advice))}\n`;
  return `${paints[state](state.padEnd(8))} ${printable(`${name}: ${says}`)}\n${more}`;
}
