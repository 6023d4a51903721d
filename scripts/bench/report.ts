import { cpus, totalmem } from 'node:os';
import type { BenchSize, Measure } from '../../bench/measure.ts';
import { table } from '../generate/markdown.ts';

/** A measure with the benchmark it belongs to. */
export type NamedMeasure = Measure & { readonly bench: string };

/** The words a run was called with, or a line that says what is wrong with them. An empty word counts as absent. */
export function readWords(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): { size: BenchSize; only: string | undefined } | string {
  const given: Record<string, string | undefined> = {
    only: environment['BENCH_ONLY'],
    size: environment['BENCH_SIZE'],
  };
  for (const arg of args) {
    const [, key, value] = /^(?:--)?(only|size)=(.*)$/.exec(arg) ?? [];
    if (key === undefined) return `Unknown word ${arg}: say only=<name> or size=quick|full.`;
    if (value !== '') given[key] = value;
  }
  const size = given['size'] || 'quick';
  if (size !== 'quick' && size !== 'full') return `size=${size} is not known: say size=quick or size=full.`;
  return { size, only: given['only'] || undefined };
}

const head = ['benchmark', 'measure', 'ours', 'floor', 'ratio', 'goal', 'holds'];

function rowOf(measure: NamedMeasure): string[] {
  return [
    measure.bench,
    measure.measure,
    `${short(measure.value)} ${measure.unit}`,
    `${short(measure.floor)} ${measure.unit} (${measure.against})`,
    short(measure.ratio),
    `<= ${short(measure.goal)}`,
    measure.holds ? 'yes' : 'NO',
  ];
}

/** Three digits that count. */
function short(value: number): string {
  return Number.isFinite(value) && value !== 0 ? `${Number(value.toPrecision(3))}` : `${value}`;
}

/** The table for a terminal. */
export function textTable(measures: readonly NamedMeasure[]): string {
  const rows = [head, ...measures.map(rowOf)];
  const widths = head.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
  return rows
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The page that a full run leaves in the repository. */
export function benchmarksPage(measures: readonly NamedMeasure[]): string {
  return `${[
    '<!-- Written by `make bench size=full`; do not edit. -->',
    '# Benchmarks',
    'Each measure is a ratio: ours against a floor that was measured in the same run on the same machine. A ratio of 2 means twice as slow as the floor; the goal is the ratio that must not be passed.',
    machineFacts().join('\n'),
    table(head, measures.map(rowOf)),
  ].join('\n\n')}\n`;
}

function machineFacts(): string[] {
  const [first] = cpus();
  return [
    `- processor: ${first?.model.trim() ?? 'unknown'}, ${cpus().length} cores`,
    `- memory: ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `- Node.js: ${process.version} on ${process.platform} ${process.arch}`,
  ];
}
