import type { RunCommand } from '../command.ts';
import { exitOf, followChange } from './follow-change.ts';
import { untilStopped, withVerbs } from './with-verbs.ts';

/** Shows a change until it has ended. What waits for a person is waited for: somebody else may answer. */
export const run: RunCommand = (call, terminal) =>
  withVerbs(call, terminal, async verbs => {
    const outcome = await followChange(verbs, terminal, {
      signal: untilStopped(terminal),
      judge: async (_, now) => (now === 'running' || now === 'waiting' ? undefined : now),
    });
    return exitOf[outcome];
  });
