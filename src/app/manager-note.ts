import { readFile } from 'node:fs/promises';
import { isObject } from '../base/json.ts';
import { isAlive, type ProcessIdentity } from '../runtime/process/process-identity.ts';
import { writePrivateFile } from '../server/private-file.ts';

/** What the manager of a state folder says of itself, in `manager.json`. */
export interface ManagerNote extends ProcessIdentity {
  /** Where the objects are served: `http://127.0.0.1:41234`. */
  readonly address: string;
  readonly startedAt: string;
  /** Of Afloat. */
  readonly version: string;
  /** It ended in good order. */
  readonly endedAt?: string;
}

/** The last note of a folder; undefined where there is none, or none that can be read. */
export async function readManagerNote(file: string): Promise<ManagerNote | undefined> {
  try {
    const note: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isNote(note) ? note : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a note as a whole. Throws `FileUnwritable`. */
export function writeManagerNote(file: string, note: ManagerNote): Promise<void> {
  return writePrivateFile(file, `${JSON.stringify(note, undefined, 2)}\n`);
}

/** Whether the very process that wrote the note still runs. */
export function isManagerAlive(note: ManagerNote): boolean {
  return note.endedAt === undefined && isAlive(note);
}

/** The port in the address of a note. */
export function portOf({ address }: ManagerNote): number {
  return URL.canParse(address) ? Number(new URL(address).port) : 0;
}

function isNote(value: unknown): value is ManagerNote & typeof value {
  if (!isObject(value) || !Number.isInteger(value['pid'])) return false;
  const texts = ['started', 'boot', 'address', 'startedAt', 'version'];
  return texts.every(name => typeof value[name] === 'string');
}
