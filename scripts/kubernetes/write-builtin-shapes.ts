/**
 * Writes the table of built-in types of the embedded cluster from the OpenAPI of the API server that the tests run against, and the numbers
 * of their fields from the sources it was built of.
 * To be run after a change of the server's version, of the built-in kinds or of the corrections in `shapes/`.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiCall } from './api-call.ts';
import { readAccess } from './kubeconfig.ts';
import { fieldNumbersFile, findTypeSources } from './shapes/field-numbers-file.ts';
import { shapesFile } from './shapes/shapes-file.ts';
import { openTestCluster } from './test-cluster.ts';

const { cluster, close } = await openTestCluster(line => console.log(line));
try {
  const { path, content } = await shapesFile(apiCall(await readAccess(cluster.kubeconfig)));
  await writeFile(join(import.meta.dirname, '..', '..', path), content);
  console.log(`wrote ${path}`);
} finally {
  await close();
}

const sources = await findTypeSources();
if (sources === undefined) console.log('the sources of the types are not there: the numbers of fields stay');
else {
  const { path, content } = await fieldNumbersFile(sources);
  await writeFile(join(import.meta.dirname, '..', '..', path), content);
  console.log(`wrote ${path}`);
}
