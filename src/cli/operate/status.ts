import type { RunCommand } from '../command.ts';
import { printView } from '../print-view.ts';
import { isStructured, structured } from '../structured.ts';
import { withVerbs } from './with-verbs.ts';

/** Prints the five facts, the services and the plan. */
export const run: RunCommand = (call, terminal) =>
  withVerbs(call, terminal, async verbs => {
    const { view } = await verbs.look();
    const { output } = call.options;
    terminal.print(isStructured(output) ? structured(view, output) : printView(view, terminal.paint));
    return 'ok';
  });
