/** What a real nginx and its router do when one of them is killed, cut off or set wrong. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../../../scripts/kubernetes/process/wait-until.ts';
import { nginxTrafficWorld } from '../../testing/nginx-traffic-world.ts';
import type { Route, Traffic } from '../traffic.ts';
import { ask, Clients, hold } from '../traffic-clients.contract.ts';
import { headerOf } from '../written-route.ts';
import { NginxRouter } from './nginx-router.ts';
import { nginxText } from './nginx-text.ts';

const port = 8000;
let world: Awaited<ReturnType<typeof nginxTrafficWorld>>;
let traffic: Traffic;
let route: Route;
let address: { host: string; port: number };
let file: string;

beforeAll(async () => {
  world = await nginxTrafficWorld();
  ({ traffic } = world);
  address = { host: world.nginx.place.address, port };
  route = world.newRoute();
  file = join(world.nginx.place.folder, `${route.namespace}.${route.service}.conf`);
  await traffic.ensure(route, world.object(route, [port]));
  await waitUntil('both slices', 60, async () => {
    const { slices } = await traffic.observe(route);
    return slices['blue']?.ready === 1 && slices['green']?.ready === 1;
  });
});
afterAll(() => world?.close());

/** Workers of before take requests for a moment still. */
const untilAnswers = (slice: string) =>
  waitUntil(slice, 60, async () => (await answers().catch(() => [])).join() === slice);
const answers = async () => {
  const seen = new Set<string>();
  for (let asked = 0; asked < 20; asked++) seen.add(await ask(address));
  return [...seen];
};

test('killed and started in the middle of a drain it has the same shares', async () => {
  await traffic.setWeights(route, { blue: 100 });
  await untilAnswers('blue');
  const held = hold(address);
  await held.reached;
  await traffic.setWeights(route, { green: 100 });
  expect((await traffic.observe(route)).slices['blue']).toMatchObject({ weight: 0, out: 'no' });
  await world.nginx.kill();
  await expect(held.end()).rejects.toThrow();
  await expect(traffic.observe(route)).rejects.toMatchObject({ reason: 'Unreachable' });
  await world.nginx.start();
  expect(await answers()).toEqual(['green']);
  await waitUntil(
    'blue is out',
    60,
    async () => (await traffic.observe(route)).slices['blue']?.out === 'yes',
  );
});

test('while it is away shares are refused, and nothing is written', async () => {
  await traffic.setWeights(route, { blue: 100 });
  const before = await readFile(file, 'utf8');
  await world.nginx.kill();
  await expect(traffic.setWeights(route, { green: 100 })).rejects.toMatchObject({ reason: 'Unreachable' });
  expect(await readFile(file, 'utf8')).toBe(before);
  await world.nginx.start();
  expect(await answers()).toEqual(['blue']);
});

test('a manager that was cut off between file and reload is made good at the next look', async () => {
  await traffic.setWeights(route, { blue: 100 });
  await untilAnswers('blue');
  const { folder } = new NginxRouter(world.nginx.place);
  const { route: now } = await folder.read(route);
  if (!now) throw new TypeError('there is no file');
  const changed = { ...now, weights: { green: 100 }, isUnread: true } as const;
  await folder.write(route, `${headerOf(changed)}${nginxText(changed)}`);
  expect(await answers()).toEqual(['blue']);
  await traffic.observe(route);
  await untilAnswers('green');
});

test('a configuration that a person broke is refused with the line, and the old one serves on', async () => {
  await traffic.setWeights(route, { blue: 100 });
  await untilAnswers('blue');
  const before = await readFile(file, 'utf8');
  const clients = new Clients(address);
  await world.nginx.writeByHand('nonsense on;\n');
  try {
    await expect(traffic.setWeights(route, { green: 100 })).rejects.toMatchObject({
      reason: 'Invalid',
      message: expect.stringContaining('nonsense'),
    });
    expect(await readFile(file, 'utf8')).toBe(before);
    expect((await traffic.observe(route)).slices['blue']).toMatchObject({ weight: 100 });
    const asked = clients.answers['blue'] ?? 0;
    await waitUntil('blue answers on', 60, async () => (clients.answers['blue'] ?? 0) > asked + 20);
  } finally {
    await world.nginx.writeByHand('');
    await clients.end();
  }
  expect(clients.failures).toEqual({});
  expect(Object.keys(clients.answers)).toEqual(['blue']);
  await traffic.setWeights(route, { green: 100 });
  await untilAnswers('green');
});

test('bytes that are no requests are refused: it would not route them', async () => {
  const object = world.object(route, [port]);
  const { selector } = object['spec'] as { selector: Record<string, string> };
  const spec = { selector, ports: [{ port, targetPort: 8080, appProtocol: 'tcp' }] };
  await expect(traffic.ensure(route, { ...object, spec })).rejects.toMatchObject({ reason: 'Invalid' });
});
