/** A process that asks: told a port and for how long, it tells its parent how many answers came and how long they took. */
import { once } from 'node:events';
import { connect } from 'node:net';

/** What to do. */
export interface Load {
  readonly port: number;
  readonly protocol: 'tcp' | 'http';
  /** Connections that stay, each with one request at a time. */
  readonly connections: number;
  readonly seconds: number;
}

/** What came of it. */
export interface LoadResult {
  readonly requests: number;
  /** Milliseconds of a request, in the middle and of the slowest of a hundred. */
  readonly p50: number;
  readonly p99: number;
}

const questions = {
  tcp: 'a question that is a little longer than nothing at all\n',
  http: 'GET /v3/services HTTP/1.1\r\nHost: keystone.openstack.svc:5000\r\nUser-Agent: bench\r\nAccept: application/json\r\nX-Auth-Token: 0123456789abcdef0123456789abcdef\r\n\r\n',
};

async function client(load: Load, end: number, times: number[]): Promise<void> {
  const socket = connect({ port: load.port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  const question = Buffer.from(questions[load.protocol]);
  await new Promise<void>((resolve, reject) => {
    let sent = performance.now();
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the connection was closed')));
    socket.on('data', () => {
      const now = performance.now();
      times.push(now - sent);
      if (now >= end) resolve();
      else {
        sent = now;
        socket.write(question);
      }
    });
    socket.write(question);
  });
  socket.destroy();
}

process.on('message', async (load: Load) => {
  const times: number[] = [];
  const end = performance.now() + load.seconds * 1000;
  await Promise.all(Array.from({ length: load.connections }, () => client(load, end, times)));
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.floor(times.length * part)] ?? Number.NaN;
  process.send?.({ requests: times.length, p50: at(0.5), p99: at(0.99) } satisfies LoadResult);
});
process.once('disconnect', () => process.exit());
