import { sayDuration } from '../../base/duration.ts';
import { type HistoryEntry, historyOf } from '../../status/history.ts';
import type { RunCommand } from '../command.ts';
import { printable } from '../printable.ts';
import { isStructured, structured } from '../structured.ts';
import { tableLines } from '../table-lines.ts';
import { withVerbs } from './with-verbs.ts';

/** Prints what happened, the newest first. */
export const run: RunCommand = (call, terminal) =>
  withVerbs(call, terminal, async verbs => {
    const { objects } = await verbs.look();
    const entries = historyOf(objects, call.words[0]);
    const { output } = call.options;
    if (isStructured(output)) terminal.print(structured({ entries }, output));
    else if (entries.length === 0) terminal.print('Nothing has happened yet.\n');
    else {
      const head = ['WHEN', 'SERVICE', 'FLOW', 'VERSION', 'REVISION', 'TOOK', 'BY', 'END'];
      terminal.print(`${tableLines([head, ...entries.map(rowOf)], terminal.paint).join('\n')}\n`);
    }
    return 'ok';
  });

function rowOf(entry: HistoryEntry): string[] {
  const { at, service, flow, from, to, revision, seconds, by, says } = entry;
  const version =
    from !== undefined && to !== undefined && from !== to ? `${from} -> ${to}` : (to ?? from ?? '-');
  return [
    at === '' ? '-' : at.replace(/\.\d+/, ''),
    service,
    flow,
    version,
    revision === undefined ? '-' : String(revision),
    seconds === undefined ? '-' : sayDuration(seconds),
    by ?? '-',
    says,
  ].map(printable);
}
