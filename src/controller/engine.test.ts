import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EmbeddedCluster } from '../cluster/embedded/embedded-cluster.ts';
import { StoreFolder } from '../cluster/embedded/store-folder.contract.ts';
import { startEngine } from './engine.ts';
import type { EnginePorts } from './engine-world.ts';
import { takeEpoch } from './runtime/epoch.ts';

let folder: StoreFolder;
let cluster: EmbeddedCluster;
let stop: AbortController;
beforeEach(async () => {
  folder = new StoreFolder();
  cluster = await folder.open();
  stop = new AbortController();
});
afterEach(() => folder[Symbol.asyncDispose]());

/** Where there is nothing to do nothing is asked of the ports. */
const ports = {} as EnginePorts;

it('tells once that a newer manager is there', async () => {
  let told = 0;
  const onRelieved = () => void told++;
  const engine = await startEngine({ cluster, ports, signal: stop.signal, onRelieved });
  expect(told).toBe(0);
  await takeEpoch(cluster);
  await takeEpoch(cluster);
  await expect.poll(() => told).toBe(1);
  stop.abort();
  await engine.ended;
});

it('of one namespace is not relieved by that of another', async () => {
  for (const name of ['one', 'two'])
    await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const told: string[] = [];
  const start = (namespace: string) =>
    startEngine({ cluster, ports, signal: stop.signal, namespace, onRelieved: () => told.push(namespace) });
  const engines = [await start('one'), await start('two'), await start('two')];
  await expect.poll(() => told).toEqual(['two']);
  expect(engines.map(({ epoch }) => epoch)).toEqual([1, 1, 2]);
  expect(Object.keys(engines[0]?.depths() ?? {})).toEqual(['record', 'plan', 'flow', 'phase']);
  stop.abort();
  for (const engine of engines) await engine.ended;
});
