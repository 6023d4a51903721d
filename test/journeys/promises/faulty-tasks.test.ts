import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FlowObject } from '../../../src/controller/our-objects.ts';
import { type JourneyWorld, openJourneyWorld } from '../engine/journey-world.ts';
import { processesWith } from '../runtime/our-processes.ts';
import { aService, type ServiceWish } from './service-package.ts';
import { statusText } from './status-text.ts';

/** How one upgrade is spoilt, and what must be said of it. */
interface Fault {
  readonly name: string;
  readonly says: string;
  readonly wish?: ServiceWish;
  /** Faults of the program that serves. */
  readonly faults?: readonly string[];
  /** The move it fails in, the task or workload, and the reason. */
  readonly because: RegExp;
  /** What it says differs with the moment. */
  readonly isUnsteady?: boolean;
}

const inTest = (name: string, says: string, wish: ServiceWish, because: RegExp): Fault => ({
  ...{ name, says, wish, because },
});

/** Seconds until the deadline of what would hang for ever. */
const deadline = 5;

const faults: readonly Fault[] = [
  inTest(
    'exits',
    'a test that exits with 1',
    { test: 'echo no such user; exit 1' },
    /^main\/test:new: Job exits-test failed: .*exit code 1.*no such user/s,
  ),
  inTest(
    'hangs',
    'a test that hangs past its deadline',
    { test: "trap '' TERM; while :; do sleep 1; done", testDeadline: deadline },
    /^main\/test:new: Job hangs-test failed: .*DeadlineExceeded/s,
  ),
  inTest(
    'forks',
    'a test that leaves children behind',
    { test: 'sleep 600 & setsid sh -c "sleep 600; true" & setsid setsid sleep 600 & exit 1' },
    /^main\/test:new: Job forks-test failed: .*exit code 1/s,
  ),
  inTest(
    'floods',
    'a test that fills its log',
    { test: 'i=0; while [ $i -lt 2000 ]; do printf "%01000d\\n" $i; i=$((i+1)); done; echo enough; exit 3' },
    /^main\/test:new: Job floods-test failed: .*exit code 3.*enough/s,
  ),
  inTest(
    'killed',
    'a test that is killed',
    { test: 'kill -9 $$$$' },
    /^main\/test:new: Job killed-test failed: .*SIGKILL/s,
  ),
  inTest(
    'unstartable',
    'a test whose program is not there',
    { test: '', testContainer: { command: ['/no/such/program'] } },
    /^main\/test:new: Job unstartable-test failed: .*could not be started/s,
  ),
  {
    ...{ name: 'pre', says: 'a task before the software that fails' },
    wish: { pre: 'echo cannot pin; exit 7' },
    because: /^main\/apply:new: Job pre-before failed: .*exit code 7.*cannot pin/s,
  },
  {
    ...{ name: 'unready', says: 'software that never gets ready' },
    ...{ wish: { deadline }, faults: ['unready'] },
    because: /^main\/apply:new: Not ready after 5 seconds: Deployment unready-\w+: .*is not ready yet/s,
  },
  {
    ...{ name: 'crashes', says: 'software that crashes again and again' },
    faults: ['crash'],
    because: /^main\/apply:new: Deployment crashes-\w+: .*exit code 3.*again and again.*told to crash/s,
  },
  {
    ...{ name: 'flaps', says: 'software that is ready and not ready in turns' },
    ...{ wish: { deadline: 8, deployment: { minReadySeconds: 4 } }, faults: ['flaps'] },
    because: /^main\/apply:new: Not ready after 8 seconds: Deployment flaps-\w+: .*0 available/s,
    isUnsteady: true,
  },
];

let world: JourneyWorld;
const ends = new Map<string, { readonly flow: FlowObject; readonly seconds: number }>();
const names = [...faults.map(({ name }) => name), 'rows'];
const apply = (version: (name: string) => string) =>
  world.apply({ maxParallel: 4, services: names.map(name => ({ name, version: version(name) })) });
const isRows = (name: string) => name === 'rows';

beforeAll(async () => {
  world = await openJourneyWorld();
  for (const { name, wish = {}, faults: found = [] } of faults) {
    aService(world, name, '1.0.0');
    aService(world, name, '1.1.0', wish);
    world.data.setFaults(name, '1.1.0', ...found);
  }
  world.aPackage('rows', '1.0.0', {});
  world.aPackage('rows', '2.0.0', { data: 'expand', faults: ['expand'] });
  await apply(() => '1.0.0');
  await world.untilReady(120);
  await apply(name => (isRows(name) ? '2.0.0' : '1.1.0'));
  await world.until(
    'the end of every flow',
    async () => {
      const flows = await world.flows();
      const ended = flows.filter(
        ({ spec, status }) => spec.flowKind === 'upgrade' && status?.end !== undefined,
      );
      for (const flow of ended) {
        const { startedAt = '', finishedAt = '' } = flow.status ?? {};
        const seconds = (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
        ends.set(flow.spec.serviceName, { flow, seconds });
      }
      return ends.size === names.length;
    },
    180,
  );
}, 320_000);
afterAll(() => world.close(), 60_000);

describe.each(faults)('$says', ({ name, because, isUnsteady = false }) => {
  test('ends the upgrade, names task and reason, and leaves the old version serving', async () => {
    const { flow } = ends.get(name) ?? expect.unreachable();
    expect(flow.status?.because).toMatch(because);
    expect(flow.status?.end).toBe('rolledback');
    expect(await world.serving(name)).toMatchObject({ version: '1.0.0', setting: 'of 1.0.0' });
  });

  test.skipIf(isUnsteady)(
    'says in `status` who serves, why it stopped, and what a person can do',
    async () => {
      await expect(await statusText(world, name)).toMatchFileSnapshot(`testdata/${name}.golden`);
    },
  );
});

test('a task of a database that fails ends the upgrade and leaves the old version serving', async () => {
  const { flow } = ends.get('rows') ?? expect.unreachable();
  expect(flow.status?.because).toMatch(/^main\/expand:new: Database rows: Job rows-expand failed: /);
  expect(await world.serving('rows')).toMatchObject({ version: '1.0.0' });
  await expect(await statusText(world, 'rows')).toMatchFileSnapshot('testdata/rows.golden');
});

test('what can never finish is noticed long before its deadline', () => {
  for (const name of ['unstartable', 'crashes']) expect(ends.get(name)?.seconds).toBeLessThan(60);
});

test('an image that is not there is told before anything is touched', async () => {
  aService(world, 'exits', '1.2.0', { test: '', testContainer: { image: 'promises/nowhere:1' } });
  const flows = (await world.flows()).length;
  await apply(name => (name === 'exits' ? '1.2.0' : isRows(name) ? '2.0.0' : '1.1.0'));
  const record = await world.untilCondition('Stalled', 'True', 'ImageUnknown');
  const { message } = record.status?.conditions?.find(({ type }) => type === 'Stalled') ?? {};
  expect(message).toContain(
    'Job exits-test of exits, container task: nothing says which program image promises/nowhere:1 is',
  );
  expect(await world.flows()).toHaveLength(flows);
  await expect(await statusText(world, 'exits')).toMatchFileSnapshot('testdata/image.golden');
});

test('no child of any task is left', async () => {
  let left: string[] = [];
  for (let tries = 0; tries < 50; tries++) {
    left = processesWith(world.folder).filter(line => /sleep 600|trap|printf/.test(line));
    if (left.length === 0) break;
    await pause(200);
  }
  expect(left).toEqual([]);
});
