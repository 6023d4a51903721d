import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Metadata, ObjectRef } from '../cluster.ts';
import { EmbeddedCluster } from './embedded-cluster.ts';
import type { StoreOptions } from './store/store-options.ts';

/** A folder for one test, with the clusters opened in it; both go with the test. */
export class StoreFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'afloat-store-'));
  readonly #open: EmbeddedCluster[] = [];

  async open(options: StoreOptions = {}): Promise<EmbeddedCluster> {
    const cluster = await EmbeddedCluster.open(this.path, options);
    this.#open.push(cluster);
    return cluster;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const cluster of this.#open) await cluster.close();
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Hands over a cluster of its own before each test of a file, and takes it away after it. */
export function clusterForEachTest(take: (cluster: EmbeddedCluster) => void): void {
  let folder: StoreFolder;
  beforeEach(async () => {
    folder = new StoreFolder();
    take(await folder.open());
  });
  afterEach(() => folder[Symbol.asyncDispose]());
}

export const configMaps = { apiVersion: 'v1', kind: 'ConfigMap' };

/** A ConfigMap that is not created yet. */
export function configMap(name: string, data: Record<string, string> = {}, metadata: Metadata = {}) {
  return { ...configMaps, metadata: { name, namespace: 'default', ...metadata }, data };
}

export function refTo(name: string): ObjectRef {
  return { ...configMaps, namespace: 'default', name };
}
