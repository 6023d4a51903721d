import { CodedError } from '../../base/coded-error.ts';
import { readDuration } from '../../base/duration.ts';
import type { Call, RunCommand } from '../command.ts';
import { printable } from '../printable.ts';
import { textOption } from './call-options.ts';
import { untilStopped, withVerbs } from './with-verbs.ts';

/** Prints what the tasks and pods of a service wrote, each line with where it came from. */
export const run: RunCommand = (call, terminal) =>
  withVerbs(call, terminal, async verbs => {
    const task = textOption(call, 'task');
    const since = sinceOf(call);
    const request = {
      service: call.words[0] ?? '',
      ...(task === undefined ? {} : { task }),
      follow: call.options['follow'] === true,
      previous: call.options['previous'] === true,
      timestamps: call.options['timestamps'] === true,
      ...(since === undefined ? {} : { since }),
    };
    for await (const { from, text } of verbs.logs(request, untilStopped(terminal)))
      terminal.print(`${terminal.paint.faint(from)} ${printable(text.replaceAll('\t', '    '))}\n`);
    return 'ok';
  });

function sinceOf(call: Call): Date | undefined {
  const text = textOption(call, 'since');
  if (text === undefined) return undefined;
  const seconds = readDuration(text);
  if (seconds !== undefined) return new Date(Math.max(0, Date.now() - seconds * 1000));
  throw new CodedError('UsageInvalid', `--since ${text} is no duration, as 90s, 10m or 1h30m`);
}
