/**
 * Completes package-lock.json: `npm ci` refuses a lock that lacks an optional dependency of a package, also one for
 * another operating system, and a registry that mirrors only some platforms leaves those out. Run it after every
 * `npm install`; a test fails where it is needed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingOptional } from './lock/missing-optional.ts';

const path = join(import.meta.dirname, '..', 'package-lock.json');
const lock = JSON.parse(readFileSync(path, 'utf8'));
const missing = missingOptional(lock.packages);
const packages = Object.entries({ ...lock.packages, ...missing }).sort(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, undefined, 2)}\n`);
console.log(`${Object.keys(missing).length} entries added`);
