import { stringify } from 'yaml';
import type { RunCommand } from '../command.ts';
import { printFindings } from '../plan.ts';
import { isStructured } from '../structured.ts';
import { carryOut } from './carry-out.ts';
import { withVerbs } from './with-verbs.ts';

/** Makes a record and first revisions of what Helm runs. */
export const run: RunCommand = (call, terminal) =>
  withVerbs(call, terminal, async verbs => {
    const { words, options } = call;
    const { output, cloud, serviceAccount } = options;
    const adoption = await verbs.adopt({
      releases: words,
      ...(typeof cloud === 'string' ? { cloud } : {}),
      ...(typeof serviceAccount === 'string' ? { serviceAccount } : {}),
    });
    if ('findings' in adoption) return printFindings({ ...adoption, refused: false }, output, terminal);
    const exit = await carryOut(adoption, call, terminal);
    if (exit === 'ok' && !isStructured(output))
      terminal.print(`The record, for git:\n\n${stringify(adoption.record)}`);
    return exit;
  });
