import type { Verbs } from '../../app/operator-verbs.ts';
import type { Call, RunCommand } from '../command.ts';
import type { Exit } from '../exit-codes.ts';
import { printFindings } from '../plan.ts';
import { printable } from '../printable.ts';
import { isStructured, structured } from '../structured.ts';
import type { Terminal } from '../terminal.ts';
import { textOption, waits } from './call-options.ts';
import { followApplied, type Taken } from './follow-applied.ts';
import { exitOf } from './follow-change.ts';
import { withVerbs } from './with-verbs.ts';

/** Applies a record, and follows what becomes of it where that is wanted. */
export const run: RunCommand = (call, terminal) =>
  withVerbs(call, terminal, async verbs => {
    const { words, options } = call;
    const message = textOption(call, 'message');
    const applied = await verbs.apply({
      paths: words,
      folder: terminal.folder,
      stdin: words.includes('-') ? await terminal.readStdin() : '',
      ...(message === undefined ? {} : { message }),
    });
    if ('findings' in applied) return printFindings(applied, options['output'], terminal);
    if (!isStructured(options['output'])) printApplied(applied, terminal);
    const isFollowed = waits(call, terminal) || options['approve'] === true;
    return isFollowed ? follow(verbs, applied, call, terminal) : leave(applied, call, terminal);
  });

/** Services that a person keeps as they are, or must help: applying the record again changes nothing about that. */
const heldReasons: ReadonlySet<string> = new Set(['HeldAfterRollback', 'HeldByPerson', 'Irreconcilable']);

function leave(applied: Taken, call: Call, terminal: Terminal): Exit {
  const { output } = call.options;
  if (isStructured(output)) terminal.print(structured(shown(applied), output));
  return applied.waiting.some(({ reason }) => heldReasons.has(reason)) ? 'waiting' : 'ok';
}

async function follow(verbs: Verbs, applied: Taken, call: Call, terminal: Terminal): Promise<Exit> {
  const { output } = call.options;
  const { outcome, ...followed } = await followApplied(verbs, applied, call, terminal);
  if (isStructured(output)) terminal.print(structured({ ...shown(applied), ...followed, outcome }, output));
  return exitOf[outcome];
}

/** What a program is told of it. */
function shown({ formerPlans: _, ...rest }: Taken): Omit<Taken, 'formerPlans'> {
  return rest;
}

function printApplied(applied: Taken, terminal: Terminal): void {
  const { cloud, namespace, generation, changed, packages, waiting } = applied;
  const how = changed ? `applied, generation ${generation}` : `unchanged, generation ${generation}`;
  const there = packages === 1 ? '1 package is there' : `${packages} packages are there`;
  const lines = [
    `${cloud} in namespace ${namespace}: ${how}; ${there}`,
    ...waiting.flatMap(({ service, message, advice }) => [
      `${service} will not be changed: ${message}`,
      `    ${advice}`,
    ]),
  ];
  terminal.print(lines.map(line => `${printable(line)}\n`).join(''));
}
