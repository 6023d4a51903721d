import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './run-afloat.ts';

/** Builds the program from the sources as they are now, and gives the path of its launcher: what lies in dist/ may be older. */
export function buildProgram(): string {
  execFileSync(process.execPath, ['--import', 'tsx', join(root, 'scripts', 'build.ts')], { cwd: root });
  return join(root, 'bin', 'afloat.js');
}
