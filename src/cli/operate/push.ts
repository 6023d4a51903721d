import { shortDigest } from '../../base/digest.ts';
import type { RunCommand } from '../command.ts';
import { printFindings } from '../plan.ts';
import { printable } from '../printable.ts';
import { isStructured, structured } from '../structured.ts';
import { withVerbs } from './with-verbs.ts';

/** Brings the packages of a record into the world. */
export const run: RunCommand = (call, terminal) =>
  withVerbs(call, terminal, async verbs => {
    const { words, options } = call;
    const { output } = options;
    const pushed = await verbs.push({
      paths: words,
      folder: terminal.folder,
      stdin: words.includes('-') ? await terminal.readStdin() : '',
    });
    if ('findings' in pushed) return printFindings(pushed, output, terminal);
    if (isStructured(output)) terminal.print(structured(pushed, output));
    else {
      const { namespace, packages } = pushed;
      const lines = [
        ...packages.map(({ location, digest }) => `${shortDigest(digest)} ${location}`),
        `${packages.length === 1 ? '1 package is' : `${packages.length} packages are`} in namespace ${namespace}`,
      ];
      terminal.print(lines.map(line => `${printable(line)}\n`).join(''));
    }
    return 'ok';
  });
