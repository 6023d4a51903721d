import manifest from '../../package.json' with { type: 'json' };
import type { RunCommand } from './command.ts';
import { isStructured, structured } from './structured.ts';

/** Prints which Afloat this is. */
export const run: RunCommand = async ({ options }, terminal) => {
  const { version } = manifest;
  const facts = { afloat: version, node: process.versions.node };
  const { output } = options;
  terminal.print(
    isStructured(output) ? structured(facts, output) : `afloat ${version} (Node ${facts.node})\n`,
  );
  return 'ok';
};
