import { randomBytes } from 'node:crypto';
import { readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { systemProgram } from './program-lead.ts';

/**
 * The words between the shim and a run's program: a session, and thereby a group, of its own, so that what the program sends to its
 * group does not reach the shim; then what changes root, folder and user.
 *
 * The last of them is called by a name that nobody else knows. When it cannot start the program it complains in that name, which tells
 * its words from those of a program, whatever a program says. `here` is the run's folder as the shim sees it.
 */
export function startLead(runFolder: string, here: string, change: readonly string[]): string[] {
  const setsid = systemProgram('setsid') ?? 'setsid';
  const [program, ...more] = change;
  if (program === undefined) return [secretName(runFolder, here, setsid), '--'];
  return [setsid, secretName(runFolder, here, program), ...more];
}

function secretName(runFolder: string, here: string, program: string): string {
  if (isManyInOne(program)) return program;
  // An earlier attempt may have made one, and its shim may be under way.
  const known = readdirSync(runFolder).find(name => name.startsWith('lead.'));
  const name = known ?? `lead.${randomBytes(8).toString('hex')}`;
  if (!known) symlinkSync(program, join(runFolder, name));
  return `${here}/${name}`;
}

/** BusyBox and the like go by the name that they are called by. What they say stays in the log. */
function isManyInOne(program: string): boolean {
  try {
    return basename(realpathSync(program)) !== basename(program);
  } catch {
    return true;
  }
}
