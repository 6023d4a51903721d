import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { takesConnection } from './takes-connection.ts';

async function withServer<T>(use: (port: number) => Promise<T>): Promise<T> {
  const server = createServer(socket => socket.on('error', () => {}));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use((server.address() as AddressInfo).port);
  } finally {
    await new Promise(resolve => server.close(resolve));
  }
}

it('says yes where somebody listens', async () => {
  expect(await withServer(port => takesConnection('127.0.0.1', port, 10_000))).toBe(true);
});

it('says no where the address is there and nobody listens', async () => {
  const port = await withServer(async free => free);
  expect(await takesConnection('127.0.0.1', port, 10_000)).toBe(false);
});

it('cannot tell where no way leads', async () => {
  // Multicast: no connection goes there.
  expect(await takesConnection('224.0.0.1', 80, 200)).toBeUndefined();
});
