/** A manager without rights, for unprivileged.test.ts: what it sees, as JSON. */
import { setTimeout as wait } from 'node:timers/promises';
import { whyNoNamespaces } from '../isolation/namespaces/probe-namespaces.ts';
import { lookForProcesses } from '../process/look-for-processes.ts';
import type { ContainerSpec } from './containers.ts';
import { openContainers } from './open-containers.ts';

const [stateFolder = ''] = process.argv.slice(2);
const containers = await openContainers({ stateFolder });
await containers.adopt();
const pod = { uid: 'pod', namespace: 'default', name: 'pod', hostname: 'pod', hostNetwork: false };
await containers.openPod(pod);
const spec = (name: string, script: string, more: Partial<ContainerSpec> = {}): ContainerSpec => ({
  ...{
    podUid: 'pod',
    name,
    attempt: 0,
    command: ['/bin/sh', '-c', script],
    env: { UNPRIVILEGED: 'yes' },
    mounts: [],
  },
  ...more,
});
const work = [
  spec('exits', 'exit 3'),
  spec('forks', '(setsid nohup sleep 1000 >/dev/null 2>&1 &); sleep 1000'),
  spec('user', 'exit 0', { user: 12345 }),
];
await Promise.all(work.map(one => containers.start(one)));
const [exits, forks, user] = work.map(one => () => containers.state(one));
while (exits?.()?.is !== 'ended' || forks?.()?.is !== 'running') await wait(5);
for (const one of work) await containers.kill(one);
const states = [exits, forks, user].map(state => state?.());
const left = lookForProcesses([{ mark: 'UNPRIVILEGED=yes' }]).members.flat().length;
await containers.closePod('pod');
await containers.takeDown();
const seen = {
  isolation: containers.isolation,
  reason: await whyNoNamespaces(),
  states,
  left,
};
process.stdout.write(JSON.stringify(seen));
