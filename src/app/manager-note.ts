import { readFile } from 'node:fs/promises';
import { isObject } from '../base/json.ts';
import { type Clock, systemClock } from '../cluster/clock.ts';
import { isAlive, type ProcessIdentity } from '../runtime/process/process-identity.ts';
import { writePrivateFile } from '../server/private-file.ts';

/** What the manager of a state folder says of itself, in `manager.json`. */
export interface ManagerNote extends ProcessIdentity {
  /** Where the objects are served: `https://127.0.0.1:41234`. */
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

/** How long a manager may take from having the folder to having noted itself: it opens store, runtime and server in between. */
const noteMilliseconds = 10_000;

/** The manager of a folder that is known to be held; one that just starts is waited for. Undefined where nobody notes itself. */
export async function waitForManager(
  file: string,
  clock: Clock = systemClock,
): Promise<ManagerNote | undefined> {
  const deadline = clock.monotonic() + noteMilliseconds;
  for (;;) {
    const note = await readManagerNote(file);
    if (note && isManagerAlive(note)) return note;
    if (clock.monotonic() >= deadline) return undefined;
    await clock.sleep(100);
  }
}

/** That one runs already, as a person is told it: which process, and since when. */
export function sayRunning(stateFolder: string, { pid, startedAt }: ManagerNote): string {
  return `afloat is up already for ${stateFolder}: process ${pid}, since ${startedAt}`;
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
