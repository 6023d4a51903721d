/** Judges the tree: types, format and lint, generated files. Every part runs, so that one look shows all failures. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

const parts: readonly { readonly name: string; readonly command: readonly string[] }[] = [
  { name: 'types', command: ['tsc', '-p', '.'] },
  { name: 'format and lint', command: ['biome', 'ci', '.'] },
  { name: 'generated files', command: ['tsx', 'scripts/generate.ts', '--check'] },
];

const failed = parts.filter(({ name, command }) => {
  const start = performance.now();
  const [program = '', ...words] = command;
  const { status, error } = spawnSync(join(root, 'node_modules', '.bin', program), words, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (error) console.error(error.message);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s): ${command.join(' ')}`);
  return status !== 0;
});

if (failed.length > 0) {
  console.error(`failed: ${failed.map(part => part.name).join(', ')}`);
  process.exitCode = 1;
}
