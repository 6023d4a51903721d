/** A manager for killed-manager.contract.ts: opens, starts, ends and closes until it is killed. */

import type { IsolationKind } from './containers.ts';
import { openContainers } from './open-containers.ts';
import { jobsPerRound, workOf } from './round-work.contract.ts';

const [stateFolder = '', kind = '', roundText = ''] = process.argv.slice(2);
const round = Number(roundText);
process.stdout.write('ready\n');
const containers = await openContainers({
  stateFolder,
  isolation: kind as IsolationKind,
  pollMilliseconds: 100,
});
await containers.adopt();

const sandbox = (uid: string) => ({
  uid,
  namespace: 'default',
  name: uid,
  hostname: uid,
  hostNetwork: false,
});

// The round before was interrupted: what it started is found, what it did not is started.
for (const earlier of [round - 1, round].filter(one => one >= 0)) {
  const work = workOf(earlier, stateFolder);
  await containers.openPod(sandbox(`round-${earlier}`));
  await Promise.all(work.map(spec => containers.start(spec)));
  const long = work[jobsPerRound];
  if (long && earlier < round) await containers.kill(long);
}
for (let turn = 0; ; turn++) {
  const podUid = `scratch-${round}-${turn}`;
  await containers.openPod(sandbox(podUid));
  const command = ['/bin/sh', '-c', '(setsid sleep 1000 &); sleep 1000'];
  await containers.start({ podUid, name: 'scratch', attempt: 0, command, env: {}, mounts: [] });
  if (turn % 2 === 1) await containers.closePod(podUid);
}
