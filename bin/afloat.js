#!/usr/bin/env node
import { existsSync } from 'node:fs';

const program = new URL('../dist/main.js', import.meta.url);

if (existsSync(program)) await import(program.href);
else {
  process.stderr.write('afloat is not built yet: run `npm ci` (or `make build`).\n');
  process.exitCode = 1;
}
