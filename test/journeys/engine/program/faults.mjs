/** What shall go wrong: said by the package or the record (`FAULTS`), or from outside while it runs (`faults.json`). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export function faultsOf({ FAULTS = '', SERVICE, VERSION, DATA }) {
  return new Set(
    [...FAULTS.split(','), ...fromOutside(DATA, `${SERVICE}@${VERSION}`)].filter(fault => fault !== ''),
  );
}

function fromOutside(folder, name) {
  try {
    return JSON.parse(readFileSync(join(folder, 'faults.json'), 'utf8'))[name] ?? [];
  } catch {
    return [];
  }
}

/** Fails where this task shall; waits as long as it shall hang. */
export async function suffer(env, task) {
  while (faultsOf(env).has(`hang:${task}`)) await pause(100);
  if (faultsOf(env).has(task)) throw new TypeError(`${task} was told to fail`);
}
