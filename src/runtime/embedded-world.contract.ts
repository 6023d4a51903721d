import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedCluster } from '../cluster/embedded/embedded-cluster.ts';
import type { IsolationKind } from './container/containers.ts';
import { pod, runForever } from './contract/manifests.contract.ts';
import type { RuntimeDifference, RuntimeWorld } from './contract/runtime-world.ts';
import { imagesLabel } from './image/config-map-images.ts';
import { startRuntime } from './runtime.ts';
import { takeDownRuntime } from './take-down.ts';

/** The name that busybox has in Pods. */
const image = 'busybox';

export interface EmbeddedWorldOptions {
  readonly isolation: IsolationKind;
  /** A folder that is a root with busybox in it. */
  readonly busyboxRoot: string;
  readonly differences?: readonly RuntimeDifference[];
}

/** The embedded store and the embedded runtime in a folder of their own, as a world for the suite. */
export async function embeddedWorld(
  options: EmbeddedWorldOptions,
): Promise<RuntimeWorld & { readonly troubles: string[] }> {
  const { isolation, busyboxRoot, differences = [] } = options;
  // Without namespaces no folder can be a root: there the programs of busybox are found first, among those of the machine.
  const program =
    isolation === 'namespaces'
      ? { root: busyboxRoot }
      : { env: { PATH: `${join(busyboxRoot, 'bin')}:/usr/bin:/bin` } };
  const folder = await mkdtemp(join(tmpdir(), 'afloat-runtime-'));
  const hostFolder = join(folder, 'host');
  await mkdir(hostFolder);
  const cluster = await EmbeddedCluster.open(join(folder, 'store'));
  const stop = new AbortController();
  const troubles: string[] = [];
  const runtime = await startRuntime({
    cluster,
    folder: join(folder, 'state'),
    signal: stop.signal,
    isolation,
    onTrouble: (doing, error) => void troubles.push(`${doing}: ${error}`),
  });
  const makeNamespace = async () => {
    const made = await cluster.create({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { generateName: 'contract-' },
    });
    const namespace = made.metadata.name;
    await cluster.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'images', namespace, labels: { [imagesLabel]: 'true' } },
      data: { all: JSON.stringify({ [image]: program }) },
    });
    return namespace;
  };
  const namespace = await makeNamespace();
  await cluster.create({
    ...pod('client', { image, command: runForever }),
    metadata: { name: 'client', namespace },
  });
  return {
    cluster,
    image,
    hostFolder,
    differences,
    troubles,
    makeNamespace,
    async logs({ namespace: of, pod: name, container, previous = false }) {
      const chunks: Buffer[] = [];
      const log = runtime.podLogs({ namespace: of, pod: name, container }, { previous });
      for await (const chunk of log) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    },
    async fetch(url) {
      const command = ['wget', '-q', '-O', '-', url];
      const { exitCode, output, timedOut } = await runtime.podExec({ namespace, pod: 'client' }, command, 5);
      if (exitCode === 0 && !timedOut) return output;
      throw new Error(`wget ${url}: ${timedOut ? 'timed out' : `${exitCode} ${output}`}`);
    },
    offerVolumes: async () => {},
    async close() {
      stop.abort();
      await runtime.ended;
      await cluster.close();
      await takeDownRuntime(join(folder, 'state'));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
