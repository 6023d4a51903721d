import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type Bench, type BenchSize, type Measure, measured, medianTimes } from './measure.ts';

const root = join(import.meta.dirname, '..');
const afloat = join(root, 'bin', 'afloat.js');

/** Runs Node to its end; a program that fails would be fast for the wrong reason. */
function node(words: readonly string[], wanted: number): void {
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
  if (status !== wanted) throw new TypeError(`node ${words.join(' ')} ended with ${status}: ${stderr}`);
}

async function* run(size: BenchSize): AsyncGenerator<Measure> {
  const runs = size === 'full' ? 30 : 7;
  const bare = () => node(['-e', '0'], 0);
  const common = { unit: 'ms', against: 'node -e 0' } as const;
  const help = await medianTimes(runs, () => node([afloat, '--help'], 0), bare);
  yield measured({ measure: '--help', value: help.ours, floor: help.floor, goal: 3, ...common });
  const plan = await medianTimes(runs, () => node([afloat, 'plan', 'examples/cloud.yaml'], 2), bare);
  yield measured({
    measure: 'plan of the example',
    value: plan.ours,
    floor: plan.floor,
    goal: 10,
    ...common,
  });
}

export const bench: Bench = { name: 'cli', run };
