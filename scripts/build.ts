/**
 * Bundles the program into dist/. Packages from npm are bundled too: one file per command instead of hundreds of
 * modules is what makes `afloat` start fast, and splitting keeps a command from loading what only others need.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

// Bundled CommonJS calls `require` for Node's own modules, which ES modules do not have.
const requireForCommonJs =
  "import { createRequire as createRequireForBundle } from 'node:module'; const require = createRequireForBundle(import.meta.url);";

const { outputFiles } = await build({
  absWorkingDir: root,
  // The forwarder is a program of its own: it runs on while the rest is replaced, and loads nothing of the rest.
  entryPoints: { main: 'src/cli/main.ts', forwarder: 'src/runtime/forwarder/run-forwarder.ts' },
  outdir: dist,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  banner: { js: requireForCommonJs },
  legalComments: 'eof',
  logLevel: 'warning',
  write: false,
});

// New files first, then the old ones go: a program that is running meanwhile finds what it has not loaded yet.
await mkdir(dist, { recursive: true });
for (const { path, contents } of outputFiles) await writeFile(path, contents);
const written = new Set(outputFiles.map(({ path }) => basename(path)));
for (const name of await readdir(dist)) {
  if (!written.has(name)) await rm(join(dist, name), { recursive: true });
}
