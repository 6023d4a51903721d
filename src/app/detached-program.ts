import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { errorCatalog } from '../api/error-catalog.ts';
import { CodedError } from '../base/coded-error.ts';

/** This very program, started once more with other words, on its own; its output is added to a file. It outlives this process. */
export class DetachedProgram {
  readonly #child: ChildProcess;
  readonly #log: string;
  /** Where its own output begins: what stands before is of earlier ones. */
  readonly #from: number;
  #end: string | undefined;

  constructor(words: readonly string[], log: string) {
    const output = openSync(log, 'a', 0o600);
    this.#log = log;
    this.#from = fstatSync(output).size;
    this.#child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...words], {
      detached: true,
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    this.#child.once('exit', (code, signal) => {
      this.#end = signal ?? `exit code ${code}`;
    });
    this.#child.once('error', error => {
      this.#end = error.message;
    });
    this.#child.unref();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** How it ended; undefined while it runs. */
  get end(): string | undefined {
    return this.#end;
  }

  /** Why it is not there: the error it told of last, under its own code; else that it is not up, with its last words. */
  async failure(otherwise: string): Promise<CodedError> {
    const bytes = await readFile(this.#log);
    const lines = bytes.subarray(this.#from).toString('utf8').trimEnd().split('\n');
    const details = { log: this.#log };
    const told = lines.findLast(line => line.startsWith('afloat: ')) ?? '';
    // As a failure is told on a terminal: the message, then its code.
    const [, message = '', code = ''] = /^afloat: (.*) \((\w+)\)$/.exec(told) ?? [];
    if (Object.hasOwn(errorCatalog, code)) return new CodedError(code, message, { details });
    const why = `it did not start (${this.#end ?? otherwise})`;
    const last = lines.at(-1) ?? '';
    return new CodedError('NotUp', last === '' ? why : `${why}: ${last}`, { details });
  }
}
