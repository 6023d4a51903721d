import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Traffic } from '../traffic/traffic.ts';
import { openRouters, routedTraffic } from './routed-traffic.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'afloat-routers-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const pods = { cluster: { list: async () => ({ items: [], resourceVersion: '' }) } };

async function fileOf(text: string): Promise<string> {
  const file = join(folder, 'routers.yaml');
  await writeFile(file, text);
  return file;
}

describe('the file of routers', () => {
  it('opens what it names', async () => {
    const routers = await openRouters(
      await fileOf(`
haproxy: { socket: /run/haproxy-master.sock, folder: /etc/haproxy/afloat, address: 192.0.2.1, previewAddresses: [192.0.2.2] }
nginx: { command: [nginx], pidFile: /run/nginx.pid, folder: /etc/nginx/afloat, address: "*", previewAddresses: [192.0.2.2] }
`),
      pods,
    );
    expect(Object.values(routers).map(one => one?.router.name)).toEqual(['HAProxy', 'nginx']);
    expect(routers['haproxy']?.router.addresses).toEqual({
      address: '192.0.2.1',
      previewAddresses: ['192.0.2.2'],
    });
  });

  it('is not needed', async () => {
    expect(await openRouters(undefined, pods)).toEqual({});
  });

  it.each(['haproxy: { folder: x }', 'traefik: {}', 'haproxy: [', '[]'])(
    'is refused where it is wrong: %s',
    async text => {
      await expect(openRouters(await fileOf(text), pods)).rejects.toMatchObject({ code: 'UsageInvalid' });
    },
  );
});

describe('a route', () => {
  const services = { wouldServe: async () => true } as unknown as Traffic;
  const traffic = routedTraffic(services, {});
  const route = { namespace: 'north', service: 'web' };

  it('is a Service unless it says otherwise', async () => {
    expect(await traffic.wouldServe(route, 'blue')).toBe(true);
    expect(await traffic.wouldServe({ ...route, router: 'service' }, 'blue')).toBe(true);
  });

  it('of a router that nobody told of is refused', async () => {
    await expect(traffic.observe({ ...route, router: 'haproxy' })).rejects.toMatchObject({
      reason: 'Invalid',
    });
  });
});
