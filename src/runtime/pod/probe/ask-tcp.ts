import { connect } from 'node:net';
import type { Asked } from './ask-http.ts';

/** Good when somebody takes the connection. */
export function askTcp(host: string, port: number, timeoutSeconds: number): Promise<Asked> {
  return new Promise(resolve => {
    const socket = connect({ host, port, timeout: timeoutSeconds * 1000 });
    const done = (isGood: boolean, output: string) => {
      socket.destroy();
      resolve({ isGood, output });
    };
    socket.on('connect', () => done(true, ''));
    socket.on('timeout', () => done(false, `dial tcp ${host}:${port}: i/o timeout`));
    socket.on('error', error => done(false, `dial tcp ${host}:${port}: ${error.message}`));
  });
}
