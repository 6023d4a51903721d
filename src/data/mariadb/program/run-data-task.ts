/**
 * The program of tasks on a MariaDB database: what it shall do is in its environment, what became of it in its termination message and
 * exit code, and where it is in its output.
 */
import { writeFile } from 'node:fs/promises';
import { CodedError } from '../../../base/coded-error.ts';
import { runDataTask } from './data-task.ts';

const { AFLOAT_RESULT_FILE, POD_ROOT = '' } = process.env;
const resultFile = AFLOAT_RESULT_FILE || `${POD_ROOT}/dev/termination-log`;
const say = (message: string) => process.stdout.write(`${message}\n`);

try {
  const result = await runDataTask(process.env, say);
  await writeFile(resultFile, JSON.stringify(result));
} catch (error) {
  const code = error instanceof CodedError ? error.code : 'Bug';
  const text = `${code}: ${error instanceof Error ? error.message : String(error)}`;
  process.stderr.write(`${text}\n`);
  await writeFile(resultFile, text.slice(0, 4000)).catch(() => {}); // its output says it too
  process.exitCode = 1;
}
