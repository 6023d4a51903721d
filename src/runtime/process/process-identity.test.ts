import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { lookForProcesses } from './look-for-processes.ts';
import {
  factsOf,
  identityLine,
  identityOf,
  isAlive,
  parseIdentity,
  signalProcess,
} from './process-identity.ts';

test('this process is alive, and one that is gone is not', async () => {
  const mine = identityOf(process.pid);
  expect(mine && isAlive(mine)).toBe(true);
  const child = spawn('sleep', ['1000']);
  await once(child, 'spawn');
  const identity = identityOf(child.pid ?? 0);
  expect(identity && signalProcess(identity, 'SIGKILL')).toBe(true);
  await once(child, 'exit');
  expect(identity && isAlive(identity)).toBe(false);
  expect(identity && signalProcess(identity, 'SIGKILL')).toBe(false);
});

test.each([
  ['another start time', { started: '1' }],
  ['another start of the machine', { boot: '00000000-0000-0000-0000-000000000000' }],
])('the same number with %s is not it', (_, other) => {
  const mine = identityOf(process.pid);
  expect(mine && isAlive({ ...mine, ...other })).toBe(false);
});

test('an identity is written and read; a line that was cut off is none', () => {
  const mine = identityOf(process.pid);
  const line = mine ? identityLine(mine) : '';
  expect(parseIdentity(line)).toEqual(mine);
  expect(parseIdentity(line.slice(0, -1))).toBeUndefined();
  expect(parseIdentity('')).toBeUndefined();
});

test('a name with brackets and blanks does not confuse', async () => {
  const child = spawn('sh', ['-c', 'printf "a) R 1 (b" >/proc/self/comm; echo; read x'], { stdio: 'pipe' });
  await once(child.stdout, 'data');
  expect(factsOf(child.pid ?? 0)).toMatchObject({ parent: process.pid, isOver: false });
  child.stdin.end();
  await once(child, 'exit');
});

test('families are found by their mark, with what their members started', async () => {
  const child = spawn('sh', ['-c', 'env -i sleep 1000 & echo; wait'], {
    env: { ...process.env, FAMILY: 'f1' },
  });
  await once(child.stdout, 'data');
  const [family = [], others = []] = lookForProcesses([{ mark: 'FAMILY=f1' }, { mark: 'FAMILY=f' }]).members;
  expect(family).toHaveLength(2);
  expect(others).toEqual([]);
  expect(lookForProcesses([{ mark: 'FAMILY=f1', except: child.pid ?? 0 }]).members[0]).toHaveLength(1);
  for (const { pid } of family) process.kill(pid, 'SIGKILL');
  await once(child, 'exit');
});
