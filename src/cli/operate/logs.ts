import type { RunCommand } from '../command.ts';
import { printable } from '../printable.ts';
import { textOption } from './call-options.ts';
import { untilStopped, withVerbs } from './with-verbs.ts';

/** Prints what the tasks and pods of a service wrote, each line with where it came from. */
export const run: RunCommand = (call, terminal) =>
  withVerbs(call, terminal, async verbs => {
    const task = textOption(call, 'task');
    const request = {
      service: call.words[0] ?? '',
      ...(task === undefined ? {} : { task }),
      follow: call.options['follow'] === true,
      previous: call.options['previous'] === true,
    };
    for await (const { from, text } of verbs.logs(request, untilStopped(terminal)))
      terminal.print(`${terminal.paint.faint(from)} ${printable(text.replaceAll('\t', '    '))}\n`);
    return 'ok';
  });
