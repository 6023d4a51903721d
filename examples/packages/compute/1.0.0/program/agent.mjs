/** The agent of a host: tells the conductor every second that it lives. Servers run on when it is replaced. */
import { setTimeout as pause } from 'node:timers/promises';
import { addressIn } from './address.mjs';
import { Peer } from './peer.mjs';
import { version } from './version.mjs';

export async function runAgent(env) {
  const conductor = new Peer(addressIn(env, 'CONDUCTOR', 'http://compute-conductor:8775'), 3);
  const path = `/agents/${env.HOSTNAME || `agent-${process.pid}`}`;
  const me = JSON.stringify({ hostGroup: env.HOST_GROUP, slice: env.SLICE, version });
  const stop = new AbortController();
  process.on('SIGTERM', () => stop.abort());
  process.stdout.write(`agent ${version}/${env.SLICE} of ${env.HOST_GROUP} lives\n`);
  while (!stop.signal.aborted) {
    try {
      const { servers } = JSON.parse(await conductor.send('PUT', path, me));
      for (const server of servers) process.stdout.write(`server ${server} runs\n`);
    } catch (error) {
      // A conductor that is away is no reason to end: what runs here goes on without it.
      process.stdout.write(`${error.message}\n`);
    }
    await pause(1000, undefined, { signal: stop.signal }).catch(() => undefined);
  }
  await conductor.send('DELETE', path).catch(error => process.stdout.write(`${error.message}\n`));
  process.exit(0);
}
