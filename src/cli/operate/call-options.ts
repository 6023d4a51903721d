import type { WorldOptions } from '../../app/operator-verbs.ts';
import type { Call } from '../command.ts';
import type { Terminal } from '../terminal.ts';

/** The value of an option that takes one; undefined where it was not given. */
export function textOption({ options }: Call, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** The values of an option that may be repeated. */
export function listOption({ options }: Call, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

/** Whether a change is followed to its end: where that was said, and on a terminal unless the opposite was. */
export function waits({ options: { wait } }: Call, { screen }: Terminal): boolean {
  return wait === true || (wait !== false && screen !== undefined);
}

/** Where the world is, as every command of it is told. */
export function worldOptions(call: Call): WorldOptions {
  const given = ['state', 'kubeconfig', 'context', 'namespace'].flatMap(name => {
    const value = textOption(call, name);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(given) as WorldOptions;
}
