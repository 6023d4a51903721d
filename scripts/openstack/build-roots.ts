import { findRoots, missingForRoots } from './roots/find-roots.ts';

/** Builds the roots that are named, or all, and prints where they are. */
const named = process.argv.slice(2);
const names = named.length > 0 ? named : undefined;
const missing = await missingForRoots(names);
if (missing !== undefined) throw new Error(missing);
const roots = await findRoots(names, line => process.stderr.write(`${line}\n`));
for (const [name, folder] of roots) process.stdout.write(`${name} ${folder}\n`);
