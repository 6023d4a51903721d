/** A manager for killed-manager.test.ts: makes Pods, deletes those of two rounds before, and works on until it is killed. */
import { join } from 'node:path';
import type { ClusterObject } from '../cluster/cluster.ts';
import { EmbeddedCluster } from '../cluster/embedded/embedded-cluster.ts';
import { startRuntime } from './runtime.ts';

const [folder = '', roundText = ''] = process.argv.slice(2);
const round = Number(roundText);

/** Each Pod writes down that its program began: whoever reads it sees what began twice. */
const note = `echo "$HOSTNAME $$" >>"$STARTS"`;
const scripts = {
  serve: `${note}; trap "exit 0" TERM; while :; do sleep 0.2; done`,
  job: `${note}; sleep 0.3; exit 3`,
} as const;

function pod(kind: keyof typeof scripts, number: number): ClusterObject {
  const container = {
    name: 'main',
    image: 'machine',
    command: ['/bin/sh', '-c', scripts[kind]],
    env: [{ name: 'STARTS', value: join(folder, 'starts') }],
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `${kind}-${round}-${number}`, namespace: 'default' },
    spec: {
      restartPolicy: kind === 'job' ? 'Never' : 'Always',
      terminationGracePeriodSeconds: 3,
      containers: [container],
    },
  };
}

const cluster = await EmbeddedCluster.open(join(folder, 'store'));
await startRuntime({
  cluster,
  folder: join(folder, 'state'),
  signal: new AbortController().signal,
  isolation: 'loopback',
});
process.send?.('ready');
for (let number = 0; number < 5; number++) {
  await cluster.create(pod('serve', number));
  await cluster.create(pod('job', number));
}
for (let number = 0; number < 5; number++) {
  const name = `serve-${round - 2}-${number}`;
  await cluster.delete({ apiVersion: 'v1', kind: 'Pod', namespace: 'default', name }).catch(() => {});
}
