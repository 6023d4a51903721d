import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JourneyWorld } from '../journeys/engine/journey-world.ts';

/** How often a test of Keystone made each kind of call, by what its task wrote; one entry for each test whose output is kept. */
export function testCalls(world: JourneyWorld): Readonly<Record<string, number>>[] {
  const folder = join(world.folder, 'state', 'runtime', 'pods');
  return readdirSync(folder).flatMap(pod => {
    const log = join(folder, pod, 'containers', 'task', '0', 'log');
    const lines = existsSync(log)
      ? readFileSync(log, 'utf8').matchAll(/(\d+) times (.+) in [\d.]+ s$/gm)
      : [];
    const counts = [...lines].map(([, count, kind = '']) => [kind, Number(count)]);
    return counts.length > 0 ? [Object.fromEntries(counts)] : [];
  });
}
