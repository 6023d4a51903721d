import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { isOver, processIdentity, startTimeOf } from './process-identity.ts';

const tail = '1 7 7 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 987654 0 0';

test.each([
  ['a plain name', `42 (node) S ${tail}`, '987654'],
  ['a name with blanks and brackets', `42 (a) b) (c) S ${tail}`, '987654'],
  ['a process that is dead and not yet buried', `42 (node) Z ${tail}`, undefined],
])('the start time behind %s', (_, stat, want) => {
  expect(startTimeOf(stat)).toBe(want);
});

describe.skipIf(process.platform !== 'linux')('a process', () => {
  test('is not over while it runs, and over once it ended', async () => {
    const child = spawn('sleep', ['60']);
    const identity = (await processIdentity(child.pid)) ?? '';
    expect(await isOver(identity)).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await isOver(identity)).toBe(true);
  });

  test('that got the id of an earlier one is another', async () => {
    const [pid, start, namespace] = ((await processIdentity()) ?? '').split(' ');
    expect(await isOver(`${pid} ${Number(start) - 1} ${namespace}`)).toBe(true);
  });

  test.each([['999999999 1 pid:[1]'], [''], ['nonsense']])(
    'that cannot be looked at is not over: %j',
    async identity => {
      expect(await isOver(identity)).toBe(false);
    },
  );
});
