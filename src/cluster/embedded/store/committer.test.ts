import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { configMap, configMaps, StoreFolder } from '../store-folder.contract.ts';

/** Enough to be committed in place, aside, and in place again. */
const writes = 60;

test('what is written while this thread has nothing to do, and while it is busy, is there after the next start', async () => {
  await using folder = new StoreFolder();
  const cluster = await folder.open();
  for (let count = 0; count < writes; count++) await cluster.create(configMap(`idle-${count}`));
  let isBusy = true;
  let turns = 0;
  const busy = (async () => {
    for (; isBusy; turns++) await turn();
  })();
  for (let count = 0; count < writes; count++) await cluster.create(configMap(`busy-${count}`));
  isBusy = false;
  await busy;
  // Others had their turn while the disk synced.
  expect(turns).toBeGreaterThan(writes);
  await cluster.close();
  const { items } = await (await folder.open()).list(configMaps);
  expect(items).toHaveLength(2 * writes);
});

test('nobody sees a write before it is acknowledged', async () => {
  await using folder = new StoreFolder();
  const cluster = await folder.open();
  for (let count = 0; count < writes; count++) {
    const name = `m-${count}`;
    let isThere = false;
    const made = cluster.create(configMap(name)).then(() => {
      isThere = true;
    });
    while (!isThere) {
      const { items } = await cluster.list(configMaps);
      const isSeen = items.some(({ metadata }) => metadata.name === name);
      expect(isSeen && !isThere).toBe(false);
      await turn();
    }
    await made;
  }
});
