/**
 * Runs the benchmarks: every `bench/*.bench.ts`, or `only=<name>`; `size=quick` (default) or `size=full`. Words may also
 * come from the environment (BENCH_ONLY, BENCH_SIZE).
 *
 * Stdout has one line of JSON a measure, for programs; stderr has a table for people. A full run of all benchmarks writes
 * docs/benchmarks.md. The exit code is 1 when a benchmark throws, and in a full run also when a goal does not hold: quick
 * sizes are too small to judge by.
 */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Bench, BenchSize } from '../bench/measure.ts';
import { benchmarksPage, type NamedMeasure, readWords, textTable } from './bench/report.ts';

const root = join(import.meta.dirname, '..');
const words = readWords(process.argv.slice(2), process.env);

if (typeof words === 'string') {
  console.error(words);
  process.exitCode = 1;
} else await runAll(words.size, words.only);

async function runAll(size: BenchSize, only: string | undefined): Promise<void> {
  const benches = await findBenches();
  const chosen = benches.filter(bench => only === undefined || bench.name === only);
  if (chosen.length === 0) {
    const names = benches.map(bench => bench.name).join(', ') || 'none';
    console.error(`There is no benchmark${only === undefined ? '' : ` named ${only}`}; there are: ${names}.`);
    process.exitCode = only === undefined ? 0 : 1;
    return;
  }
  const measures: NamedMeasure[] = [];
  for (const bench of chosen) {
    try {
      for await (const measure of bench.run(size)) {
        const named = { bench: bench.name, ...measure };
        console.log(JSON.stringify(named));
        measures.push(named);
      }
    } catch (error) {
      console.error(`benchmark ${bench.name} failed:`, error);
      process.exitCode = 1;
    }
  }
  console.error(`\n${textTable(measures)}`);
  if (size !== 'full') return;
  if (only === undefined && process.exitCode !== 1) {
    await writeFile(join(root, 'docs', 'benchmarks.md'), benchmarksPage(measures));
    console.error('\nwrote docs/benchmarks.md');
  }
  if (measures.some(measure => !measure.holds)) process.exitCode = 1;
}

async function findBenches(): Promise<Bench[]> {
  const folder = join(root, 'bench');
  const files = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.bench.ts')).sort();
  return Promise.all(
    files.map(async name => {
      const module: { bench?: Bench } = await import(pathToFileURL(join(folder, name)).href);
      if (!module.bench) throw new Error(`bench/${name} exports no \`bench\``);
      return module.bench;
    }),
  );
}
