import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../../../scripts/kubernetes/process/wait-until.ts';
import { systemClock } from '../../cluster/clock.ts';
import type { Cluster, ClusterObject, StoredObject } from '../../cluster/cluster.ts';
import { EmbeddedCluster } from '../../cluster/embedded/embedded-cluster.ts';
import { Reconciling } from '../../reconcile/reconcile.ts';
import { forwarderFiles } from '../forwarder/forwarder-files.ts';
import { bundleForwarder } from '../forwarder/forwarder-world.contract.ts';
import { addressNumber } from '../isolation/address-range.ts';
import { endForwarders } from './forwarder-keeper.ts';
import { forwarderProgram } from './forwarder-program.ts';
import { type Services, startServices } from './start-services.ts';

/** A cluster in a folder, and managers of its Services, one after the other. */
export class ServicesWorld {
  readonly folder: string;
  readonly cluster: EmbeddedCluster;
  readonly troubles: string[] = [];
  #manager:
    | { readonly services: Services; readonly controller: AbortController; readonly reconciling: Reconciling }
    | undefined;

  private constructor(folder: string, cluster: EmbeddedCluster) {
    this.folder = folder;
    this.cluster = cluster;
  }

  static async open(): Promise<ServicesWorld> {
    const folder = mkdtempSync(join(tmpdir(), 'afloat-services-'));
    await bundleForwarder(join(folder, 'forwarder.mjs'));
    return new ServicesWorld(folder, await EmbeddedCluster.open(join(folder, 'store')));
  }

  get services(): Services {
    if (!this.#manager) throw new Error('no manager runs');
    return this.#manager.services;
  }

  async startManager(): Promise<Services> {
    const controller = new AbortController();
    const onTrouble = (doing: string, error: unknown) => this.troubles.push(`${doing}: ${error}`);
    const reconciling = new Reconciling(this.cluster, { signal: controller.signal, onTrouble });
    // Every folder has addresses of its own, so that tests at the same time do not meet.
    const slot = process.pid % 200;
    const services = startServices({
      reconciling,
      folder: this.folder,
      range: { first: addressNumber(`127.${20 + slot}.128.0`), count: 32_768 },
      clock: systemClock,
      onTrouble,
      program: forwarderProgram(this.folder, join(this.folder, 'forwarder.mjs')),
    });
    await reconciling.start();
    for (const one of services.controllers) reconciling.run(one);
    this.#manager = { services, controller, reconciling };
    return services;
  }

  async stopManager(): Promise<void> {
    const manager = this.#manager;
    this.#manager = undefined;
    manager?.controller.abort();
    await manager?.services.close();
    await manager?.reconciling.ended();
  }

  async close(): Promise<void> {
    await this.stopManager();
    await endForwarders(forwarderFiles(this.folder), systemClock);
    await this.cluster.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The object as soon as it is as it should be. */
export function eventually<T extends StoredObject>(
  cluster: Cluster,
  type: { readonly apiVersion: string; readonly kind: string },
  isSo: (object: T) => boolean,
): Promise<T> {
  return waitUntil(`a ${type.kind} as expected`, 20, async () => {
    const { items } = await cluster.list(type);
    return (items as T[]).find(isSo);
  });
}

/** A Service of the default namespace that selects `app: <name>`. */
export function aService(
  name: string,
  spec: Record<string, unknown> = {},
  metadata: Record<string, unknown> = {},
): ClusterObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'default', ...metadata },
    spec: { selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }], ...spec },
  };
}

/** A Pod of the default namespace. */
export function aPod(
  name: string,
  labels: Record<string, string>,
  spec: Record<string, unknown> = {},
): ClusterObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', labels },
    spec: { containers: [{ name: 'main', image: 'none' }], ...spec },
  };
}

/** Writes the status of a Pod, as a kubelet does. */
export async function setReady(
  cluster: Cluster,
  pod: StoredObject,
  podIP: string,
  ready = true,
): Promise<void> {
  const conditions = [
    { type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: '2026-01-01T00:00:00Z' },
  ];
  const value = { status: { phase: 'Running', podIP, podIPs: [{ ip: podIP }], conditions } };
  const { name, namespace = '' } = pod.metadata;
  await cluster.patch(
    { apiVersion: 'v1', kind: 'Pod', name, namespace },
    { type: 'merge', value },
    { subresource: 'status' },
  );
}
