import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

/** A program of a test, bundled. */
export interface BundledManager {
  /** Path, for Node. */
  readonly program: string;
  /** Takes it away. */
  remove(): void;
}

/**
 * Bundles a program that starts a manager, with the forwarder beside it, as both are shipped: every start through a loader would take
 * seconds. The caller removes it when nothing of it runs any more.
 */
export async function bundleManager(entry: string): Promise<BundledManager> {
  const cache = join(process.cwd(), 'node_modules', '.cache'); // beside the packages, to find libsql
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'afloat-manager-'));
  const name = basename(entry).replace(/\..*$/, '');
  await build({
    entryPoints: {
      [name]: entry,
      forwarder: join(import.meta.dirname, '../runtime/forwarder/run-forwarder.ts'),
    },
    ...{ outdir: folder, bundle: true, platform: 'node', format: 'esm', target: 'node20' },
    external: ['libsql'],
    // Bundled CommonJS asks for Node's own modules.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return {
    program: join(folder, `${name}.js`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
