import { expect, test } from 'vitest';
import { ManualClock, settle } from '../../../cluster/contract/manual-clock.contract.ts';
import { aContainer } from '../decide/a-pod.contract.ts';
import { type Script, ScriptedContainers } from '../scripted-containers.contract.ts';
import { Endings } from './endings.ts';

const id = { podUid: 'u', name: 'main', attempt: 0 };
const subject = { id, container: aContainer('main'), podIp: '' };

async function world(script: Script) {
  const clock = new ManualClock();
  const containers = new ScriptedContainers('/nowhere', clock, () => script);
  await containers.start({ ...id, command: ['x'], env: {}, mounts: [] });
  const stop = new AbortController();
  const endings = new Endings({ containers, clock, signal: stop.signal, onTrouble: () => {} });
  return { clock, containers, endings, stop };
}

test('hook, SIGTERM, and when its time is over it is killed', async () => {
  const { clock, containers, endings } = await world({});
  const preStop = { exec: { command: ['drain'] } };
  expect(endings.end({ subject, until: clock.wall() + 10_000, preStop })).toBe(true);
  expect(endings.end({ subject, until: clock.wall() + 10_000, preStop })).toBe(false);
  await clock.pass(9);
  expect(containers.done).toEqual(['exec main/0 drain', 'SIGTERM main/0']);
  await clock.pass(1);
  expect(containers.done.at(-1)).toBe('kill main/0');
  expect(endings.isEnding(id)).toBe(false);
});

test('a second request may make the time shorter, not longer', async () => {
  const { clock, containers, endings } = await world({});
  endings.end({ subject, until: clock.wall() + 30_000 });
  await settle();
  endings.end({ subject, until: clock.wall() + 3000 });
  endings.end({ subject, until: clock.wall() + 60_000 });
  await clock.pass(3);
  expect(containers.done.at(-1)).toBe('kill main/0');
});

test('however little time there is, it has two seconds after its hook', async () => {
  const { clock, containers, endings } = await world({});
  endings.end({ subject, until: clock.wall() + 1000, preStop: { sleep: { seconds: 60 } } });
  await clock.pass(2.9);
  expect(containers.done).toEqual(['SIGTERM main/0']);
  await clock.pass(0.1);
  expect(containers.done.at(-1)).toBe('kill main/0');
});

test('a manager that lets go ends nothing', async () => {
  const { clock, containers, endings, stop } = await world({});
  endings.end({ subject, until: clock.wall() + 1000 });
  await settle();
  stop.abort();
  await clock.pass(60);
  expect(containers.done).toEqual(['SIGTERM main/0']);
});
