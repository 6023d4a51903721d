import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ChartFile } from './chart-renderer.ts';

/** Where a chart lies for as long as it is rendered. */
export interface ChartFolder {
  readonly chart: string;
  /** For the program that renders it: empty, and its own. */
  readonly home: string;
}

/** Lays the files of a chart into a folder that nobody else can read, works with it, and takes it away whatever came of that. */
export async function withChartFolder<Result>(
  files: readonly ChartFile[],
  work: (folder: ChartFolder) => Promise<Result>,
): Promise<Result> {
  const root = await mkdtemp(join(tmpdir(), 'afloat-chart-'));
  try {
    const [chart, home] = [join(root, 'chart'), join(root, 'home')];
    for (const folder of new Set([home, ...files.map(({ path }) => dirname(join(chart, path)))]))
      await mkdir(folder, { recursive: true, mode: 0o700 });
    // A source lets no path lead out of its package.
    for (const { path, bytes } of files) await writeFile(join(chart, path), bytes, { mode: 0o600 });
    return await work({ chart, home });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
