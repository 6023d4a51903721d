/** What a real HAProxy and its router do when one of them is killed, cut off or set wrong. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { waitUntil } from '../../../scripts/kubernetes/process/wait-until.ts';
import { haproxyTrafficWorld } from '../../testing/haproxy-traffic-world.ts';
import { sliceDeployment } from '../../testing/traffic-world.ts';
import type { Route, Traffic } from '../traffic.ts';
import { ask, Clients, hold } from '../traffic-clients.contract.ts';
import { headerOf, type WrittenRoute } from '../written-route.ts';
import { WrittenTraffic } from '../written-traffic.ts';
import { HaproxyRouter } from './haproxy-router.ts';
import { haproxyText } from './haproxy-text.ts';

const port = 8000;
let world: Awaited<ReturnType<typeof haproxyTrafficWorld>>;
let traffic: Traffic;
let route: Route;
let address: { host: string; port: number };

beforeAll(async () => {
  world = await haproxyTrafficWorld();
  ({ traffic } = world);
  address = { host: world.haproxy.place.address, port };
});
afterAll(() => world?.close());
beforeEach(async () => {
  route = world.newRoute();
  await traffic.ensure(route, world.object(route, [port]));
  await waitUntil('both slices', 60, async () => {
    const { slices } = await traffic.observe(route);
    return slices['blue']?.ready === 1 && slices['green']?.ready === 1;
  });
});
afterEach(() => traffic.remove(route));

const weights = async (by = traffic) => {
  const { slices } = await by.observe(route);
  return Object.fromEntries(Object.entries(slices).map(([slice, { weight }]) => [slice, weight]));
};
const answers = async (count: number) => {
  const seen: Record<string, number> = {};
  for (let asked = 0; asked < count; asked++) {
    const by = await ask(address);
    seen[by] = (seen[by] ?? 0) + 1;
  }
  return seen;
};

test('killed and started in the middle of a drain it has the same shares, and nobody had to tell it', async () => {
  await traffic.setWeights(route, { blue: 100 });
  const held = hold(address);
  await held.reached;
  await traffic.setWeights(route, { blue: 0, green: 100 });
  expect((await traffic.observe(route)).slices['blue']).toMatchObject({ weight: 0, out: 'no' });
  await world.haproxy.kill();
  await expect(held.end()).rejects.toThrow();
  await world.haproxy.start();
  expect(await answers(30)).toEqual({ green: 30 });
  expect(await weights()).toEqual({ blue: 0, green: 100 });
  expect((await traffic.observe(route)).slices['blue']).toMatchObject({ out: 'yes' });
});

test('killed and started between two shares it keeps them, and its previews', async () => {
  await traffic.setWeights(route, { blue: 80, green: 20 });
  const preview = await traffic.preview(route, 'green');
  await world.haproxy.kill();
  await world.haproxy.start();
  expect(await answers(50)).toEqual({ blue: 40, green: 10 });
  expect(await ask({ host: preview?.address ?? '', port })).toBe('green');
});

test('a manager that is new finds all as it was', async () => {
  await traffic.setWeights(route, { blue: 30, green: 70 });
  const { address: before } = (await traffic.preview(route, 'green')) ?? {};
  const other = new WrittenTraffic(new HaproxyRouter(world.haproxy.place), world);
  expect(await weights(other)).toEqual({ blue: 30, green: 70 });
  expect((await other.preview(route, 'green'))?.address).toBe(before);
});

test('a manager that was cut off between file and HAProxy is made good at the next look', async () => {
  await traffic.setWeights(route, { blue: 100 });
  const { folder } = new HaproxyRouter(world.haproxy.place);
  const write = async (more: Partial<WrittenRoute>) => {
    const { route: now } = await folder.read(route);
    if (!now) throw new TypeError('there is no file');
    const changed = { ...now, ...more };
    await folder.write(route, `${headerOf(changed)}${haproxyText(changed)}`);
  };
  await write({ weights: { green: 100 } });
  expect(await answers(10)).toEqual({ blue: 10 });
  expect(await weights()).toEqual({ blue: 0, green: 100 });
  expect(await answers(10)).toEqual({ green: 10 });
  await write({ isGoing: true });
  expect(await answers(10)).toEqual({ green: 10 });
  expect(await traffic.observe(route)).toMatchObject({ exists: false });
  await expect(ask(address)).rejects.toThrow();
});

test('a manager that no longer leads tells it nothing', async () => {
  await traffic.setWeights(route, { blue: 100 });
  const { cluster } = world;
  const router = new HaproxyRouter(world.haproxy.place);
  const former = new WrittenTraffic(router, { cluster, mayAct: () => false });
  await expect(former.setWeights(route, { green: 100 })).rejects.toMatchObject({
    reason: 'ServiceUnavailable',
  });
  await expect(former.remove(route)).rejects.toMatchObject({ reason: 'ServiceUnavailable' });
  expect(await weights()).toMatchObject({ blue: 100 });
});

test('while it is away everything is refused with where it was looked for, and nothing is written', async () => {
  await traffic.setWeights(route, { blue: 100 });
  const file = join(world.haproxy.place.folder, `${route.namespace}.${route.service}.cfg`);
  const before = await readFile(file, 'utf8');
  await world.haproxy.kill();
  const refused = { reason: 'Unreachable', message: expect.stringContaining(world.haproxy.place.socket) };
  await expect(traffic.setWeights(route, { green: 100 })).rejects.toMatchObject(refused);
  await expect(traffic.observe(route)).rejects.toMatchObject(refused);
  await expect(traffic.preview(route, 'green')).rejects.toMatchObject(refused);
  await expect(traffic.remove(route)).rejects.toMatchObject(refused);
  expect(await readFile(file, 'utf8')).toBe(before);
  await world.haproxy.start();
  expect(await answers(10)).toEqual({ blue: 10 });
});

test('a port that another program has is refused before anything is touched, and clients notice nothing', async () => {
  await traffic.setWeights(route, { blue: 100 });
  const other = createServer();
  await new Promise<void>(resolve => other.listen(port + 1, address.host, resolve));
  const clients = new Clients(address);
  try {
    await expect(traffic.ensure(route, world.object(route, [port, port + 1]))).rejects.toMatchObject({
      reason: 'Invalid',
    });
    expect(await weights()).toMatchObject({ blue: 100 });
  } finally {
    await clients.end();
    other.close();
  }
  expect(clients.failures).toEqual({});
});

test('Pods that come are told to it and known after it was killed, and those that go are taken out', async () => {
  await traffic.setWeights(route, { blue: 100 });
  const clients = new Clients(address);
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    name: 'web-blue',
    namespace: route.namespace,
  };
  const scale = (replicas: number) =>
    world.cluster.patch(deployment, { type: 'merge', value: { spec: { replicas } } });
  const untilReady = (count: number) =>
    waitUntil(
      `${count} ready`,
      60,
      async () => (await traffic.observe(route)).slices['blue']?.ready === count,
    );
  try {
    await scale(3);
    await untilReady(3);
    await world.haproxy.kill();
    await world.haproxy.start();
    expect((await traffic.observe(route)).slices['blue']?.ready).toBe(3);
  } finally {
    await clients.end();
  }
  const quiet = new Clients(address);
  await waitUntil('requests', 30, async () => (quiet.answers['blue'] ?? 0) > 50);
  await quiet.end();
  expect(quiet.failures).toEqual({});
  await scale(1);
  await untilReady(1);
  expect(await answers(10)).toEqual({ blue: 10 });
});

test('errors of a slice are counted, and those of the other are not', async () => {
  const broken = sliceDeployment('red', route.namespace, { image: 'broken' });
  await world.cluster.create(world.imageThatFails('broken'));
  await world.cluster.create(broken);
  await traffic.setWeights(route, { blue: 50, red: 50 });
  await waitUntil('red is ready', 60, async () => (await traffic.observe(route)).slices['red']?.ready === 1);
  let failed = 0;
  for (let asked = 0; asked < 20; asked++) await ask(address).catch(() => failed++);
  const { slices } = await traffic.observe(route);
  expect(slices['red']?.counts).toMatchObject({ requests: 10, errors: 10, inFlight: 0 });
  expect(slices['blue']?.counts).toMatchObject({ errors: 0 });
  expect(failed).toBe(10);
  await world.cluster.delete({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    name: 'web-red',
    namespace: route.namespace,
  });
});
