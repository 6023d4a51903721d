import { expect, it } from 'vitest';
import { startHealthServer } from './health-server.ts';

it('tells whether it lives and is ready, and why', async () => {
  let isReady = false;
  const server = await startHealthServer('127.0.0.1:0', {
    says: () => (isReady ? 'leader' : 'waiting for the cluster'),
    isReady: () => isReady,
    metrics: () => 'a 1\n',
  });
  const page = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`);
    return [answer.status, await answer.text()];
  };
  expect(await page('/healthz')).toEqual([200, 'ok: waiting for the cluster\n']);
  expect(await page('/readyz')).toEqual([503, 'waiting for the cluster\n']);
  isReady = true;
  expect(await page('/readyz?verbose')).toEqual([200, 'leader\n']);
  expect(await page('/metrics')).toEqual([200, 'a 1\n']);
  expect((await page('/')).at(0)).toBe(404);
  await expect(
    startHealthServer(`127.0.0.1:${server.port}`, { says: () => '', isReady: () => true, metrics: () => '' }),
  ).rejects.toMatchObject({ code: 'UsageInvalid' });
  await server.close();
});

it.each(['8080', 'here:', ':99999', ''])('refuses %j as an address', async address => {
  const facts = { says: () => '', isReady: () => true, metrics: () => '' };
  await expect(startHealthServer(address, facts)).rejects.toMatchObject({ code: 'UsageInvalid' });
});
