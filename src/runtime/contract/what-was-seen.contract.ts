import { stringify } from 'yaml';
import type { StoredObject } from '../../cluster/cluster.ts';
import type { Seen } from './seen-objects.contract.ts';
import { statusOf, viewOf } from './views.contract.ts';

/** For whoever reads a failure: all that was seen of an object, each view once, and its last status whole. */
export function statesText(states: readonly Seen[], expected: unknown): string {
  const views = states.map(({ object, gone }) => (gone ? 'gone' : JSON.stringify(viewOf(object))));
  const last = states.at(-1)?.object;
  return [
    `Expected:\n${JSON.stringify(expected, undefined, 1)}`,
    `Seen, in order:\n${views.filter((view, index) => view !== views[index - 1]).join('\n')}`,
    `Its last status:\n${last ? stringify(statusOf(last)) : 'never there'}`,
  ].join('\n');
}

/** The events of a namespace, one a line. */
export function eventsText(events: readonly StoredObject[]): string {
  const lines = events.map(event => {
    const { name } = event['involvedObject'] as { name?: string };
    return `${String(event['reason'])} ${name}: ${String(event['message'])}`;
  });
  return `\nEvents:\n${lines.join('\n')}`;
}
