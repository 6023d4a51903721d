import { copyFile, mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findHelm as findOnMachine, ownHelm } from '../src/package/chart/find-helm.ts';
import { findHelm as findBuilt } from './kubernetes/build/find-programs.ts';

/** Puts Helm where Afloat looks for it: built with Go from Helm's own module, once. Does nothing where there is one already. */
const found = await findOnMachine();
if (found === undefined) {
  const place = ownHelm();
  const built = await findBuilt(line => process.stderr.write(`${line}\n`));
  await mkdir(dirname(place), { recursive: true });
  // Under its name at once: somebody may look for it right now.
  await copyFile(built, `${place}.new`);
  await rename(`${place}.new`, place);
}
process.stdout.write(`${found ?? ownHelm()}\n`);
