/**
 * Bundles the program into dist/. Packages from npm are bundled too: one file per command instead of hundreds of
 * modules is what makes `afloat` start fast, and splitting keeps a command from loading what only others need.
 */
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

// Bundled CommonJS calls `require` for Node's own modules, which ES modules do not have.
const requireForCommonJs =
  "import { createRequire as createRequireForBundle } from 'node:module'; const require = createRequireForBundle(import.meta.url);";

/** Packages with a part that is no JavaScript: loaded from node_modules, by those commands that need them. */
const native = ['libsql'];

async function bundle(entryPoints: Record<string, string>, more: BuildOptions) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: dist,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: { js: requireForCommonJs },
    legalComments: 'eof',
    logLevel: 'warning',
    ...more,
    write: false,
  });
  return outputFiles;
}

const files = [
  ...(await bundle({ main: 'src/cli/main.ts' }, { splitting: true, external: native })),
  // The forwarder is a program of its own, and one file: it runs on while the rest is replaced, loads nothing of the rest, and is
  // known by the digest of that file. The rest finds it beside itself.
  ...(await bundle({ forwarder: 'src/runtime/forwarder/run-forwarder.ts' }, { splitting: false })),
  // The program of tasks on databases is one file too: it is all of us that an image of theirs needs, beside Node and the database's own programs.
  ...(await bundle({ 'mariadb-task': 'src/data/mariadb/program/run-data-task.ts' }, { splitting: false })),
];

// New files first, then the old ones go: a program that is running meanwhile finds what it has not loaded yet.
await mkdir(dist, { recursive: true });
for (const { path, contents } of files) {
  const own = `${path}.${process.pid}`; // another build may be at work
  await writeFile(own, contents);
  await rename(own, path); // whoever starts it meanwhile finds a whole file
}
const written = new Set(files.map(({ path }) => basename(path)));
for (const name of await readdir(dist)) {
  if (name.endsWith('.js') && !written.has(name)) await rm(join(dist, name), { force: true });
}
