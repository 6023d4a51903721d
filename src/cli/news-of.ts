import type { ServiceView, View } from '../status/view.ts';
import { fitLine } from './fit-line.ts';
import { progressOf } from './print-flow-view.ts';
import { printable } from './printable.ts';

/** As wide as a log may be and still be read. */
const widest = 160;

/** One thing that may change: what it is about, what is said of it, and what goes along with it without being news by itself. */
interface Fact {
  readonly key: string;
  readonly text: string;
  readonly beside?: string;
}

/**
 * A line for everything that is not as it was shown before, none wider than 160 columns; bars and times alone are no news. `shown` is what
 * was shown, by what it is about, and is brought up to date.
 */
export function newsOf(view: View, shown: Map<string, string>): string[] {
  const facts: readonly Fact[] = [
    ...view.services.flatMap(service => serviceFacts(service, view)),
    ...planFacts(view),
    ...view.waits.map(({ reason, message }, index) => ({
      key: `record ${index}`,
      text: `record ${reason}: ${message}`,
    })),
  ];
  const keys = new Set(facts.map(({ key }) => key));
  for (const key of shown.keys()) if (!keys.has(key)) shown.delete(key);
  return facts.flatMap(({ key, text, beside = '' }) => {
    if (shown.get(key) === text) return [];
    shown.set(key, text);
    const [time, more] = [`${view.at.slice(11, 19)} `, printable(beside)];
    return [`${time}${cut(printable(text), widest - time.length - more.length)}${more}`];
  });
}

/** The state, the move at work, and each reason to wait: three things, each said when it changes. */
function serviceFacts(service: ServiceView, { at, plan }: View): Fact[] {
  const { name, state, serves, flow } = service;
  const move = flow?.state === 'ended' ? undefined : flow?.moves.at(-1);
  // What the plan as a whole waits for is said once, with the plan.
  const said = new Set(plan?.waits.flatMap(wait => (wait.service === undefined ? [wait.message] : [])));
  const waits = service.waits.filter(({ message }) => !said.has(message));
  return [
    { key: name, text: `${name} ${state}, serves ${serves ?? 'nobody'}` },
    ...(move === undefined
      ? []
      : [
          {
            key: `${name} move`,
            text: `${name} ${move.phase}: ${move.says}`,
            beside: ` ${progressOf(service, at)}`,
          },
        ]),
    ...waits.map(({ message }, index) => ({ key: `${name} waits ${index}`, text: `${name}: ${message}` })),
  ];
}

function planFacts({ plan, services, facts }: View): Fact[] {
  if (!plan) {
    const isCalm = services.every(({ flow }) => flow === undefined || flow.state === 'ended');
    return isCalm
      ? facts.next.text.map((text, index) => ({ key: `next ${index}`, text: `next: ${text}` }))
      : [];
  }
  const { name, state, done, steps, waits } = plan;
  return [
    {
      key: 'plan',
      text: `plan ${name} ${state}, ${done} of ${steps === 1 ? '1 step' : `${steps} steps`} done`,
    },
    ...waits.flatMap(({ service, message }, index) =>
      service === undefined ? [{ key: `plan waits ${index}`, text: message }] : [],
    ),
  ];
}

/** What is left out is shown to be; `afloat status` has all of it. */
function cut(text: string, columns: number): string {
  return text.length <= columns ? text : `${fitLine(text, columns - 3)}...`;
}
