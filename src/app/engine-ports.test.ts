import { describe, expect, it } from 'vitest';
import { ClusterError } from '../cluster/cluster-error.ts';
import type { LogQuery } from '../cluster/pod-log.ts';
import { podLogsOf } from './engine-ports.ts';

const of = { namespace: 'cloud', pod: 'shop-1', container: 'api' };

/** A container that wrote this in its run now, and that in the one before; nothing: there is no such run. */
const writes = (now: string | undefined, before: string | undefined) =>
  podLogsOf(async function* (_, { previous }: LogQuery = {}) {
    const text = previous ? before : now;
    if (text === undefined) throw new ClusterError('BadRequest', 'no such run');
    yield Buffer.from(text);
  });

describe('the end of the log of a container', () => {
  it.each([
    { says: 'is of its run now', now: 'now', before: 'before', want: 'now' },
    { says: 'is of the run before where it was just started again', now: '', before: 'why', want: 'why' },
    { says: 'is of the run before where it waits for its start', now: undefined, before: 'why', want: 'why' },
    { says: 'is empty where it has said nothing in its first run', now: '', before: undefined, want: '' },
    { says: 'is not there where it never began', now: undefined, before: undefined, want: undefined },
  ])('$says', async ({ now, before, want }) => {
    expect(await writes(now, before).tail(of, 5)).toBe(want);
  });

  it('fails where nobody can be asked', async () => {
    const logs = podLogsOf(() => {
      throw new ClusterError('Unreachable', 'nobody answers');
    });
    await expect(logs.tail(of, 5)).rejects.toMatchObject({ reason: 'Unreachable' });
  });
});
