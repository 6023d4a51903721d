import { findImages } from './images/find-images.ts';
import { missingForRoots } from './roots/find-roots.ts';

/** Makes the images of real services, of roots that are built first where they are missing, and prints the OCI layout they are in and their names. */
const missing = await missingForRoots();
if (missing !== undefined) {
  console.error(missing);
  process.exit(1);
}
const { folder, names } = await findImages(line => process.stderr.write(`${line}\n`));
for (const name of names) process.stdout.write(`${name} ${folder}\n`);
