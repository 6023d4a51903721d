import { CodedError } from '../../base/coded-error.ts';
import type { View } from '../../status/view.ts';
import type { RunCommand } from '../command.ts';
import { printView } from '../print-view.ts';
import { isStructured, structured } from '../structured.ts';
import { withVerbs } from './with-verbs.ts';

/** Prints the five facts, the services and the plan. */
export const run: RunCommand = (call, terminal) =>
  withVerbs(call, terminal, async verbs => {
    const { view } = await verbs.look();
    const [service] = call.words;
    const shown = service === undefined ? view : onlyService(view, service);
    const { output } = call.options;
    terminal.print(isStructured(output) ? structured(shown, output) : printView(shown, terminal.paint));
    return 'ok';
  });

/** The facts are those of the whole cloud; of the services only one is shown. */
function onlyService(view: View, service: string): View {
  const services = view.services.filter(({ name }) => name === service);
  if (services.length > 0) return { ...view, services };
  const known = view.services.map(({ name }) => name).join(', ') || 'none';
  throw new CodedError('NotNow', `there is no service ${service} here; there are: ${known}`);
}
