import { describe, expect, it } from 'vitest';
import type { EmbeddedCluster } from '../cluster/embedded/embedded-cluster.ts';
import {
  clusterForEachTest,
  configMap,
  configMaps,
  refTo,
} from '../cluster/embedded/store-folder.contract.ts';
import { CutCluster } from './cut-cluster.ts';
import { Cut, CutLine, everyCut } from './cut-line.ts';
import { cutPort } from './cut-port.ts';

let cluster: EmbeddedCluster;
clusterForEachTest(opened => {
  cluster = opened;
});

const names = async () => (await cluster.list(configMaps)).items.map(({ metadata }) => metadata.name);

describe('CutCluster', () => {
  it('is the cluster itself while nothing is cut, and numbers every call', async () => {
    const whole = new CutCluster(cluster);
    await whole.create(configMap('a'));
    await whole.patch(refTo('a'), { type: 'merge', value: { data: { x: '1' } } });
    await whole.as({ user: 'somebody' }).get(refTo('a'));
    await whole.list(configMaps, { namespace: 'default', labelSelector: 'a=b' });
    await expect(whole.get(refTo('none'))).rejects.toMatchObject({ reason: 'NotFound' });
    await whole.delete(refTo('a'));
    expect(whole.calls().map(({ call, verb, about }) => `${call} ${verb} ${about}`)).toEqual([
      '1 cluster.create ConfigMap default/a',
      '2 cluster.patch ConfigMap default/a',
      '3 cluster.get ConfigMap default/a',
      '4 cluster.list ConfigMap in default with a=b',
      '5 cluster.get ConfigMap default/none',
      '6 cluster.delete ConfigMap default/a',
    ]);
  });

  it('cut off before a call, the call does not get through', async () => {
    const process = new CutCluster(cluster, new CutLine({ call: 2, when: 'before' }));
    await process.create(configMap('a'));
    await expect(process.create(configMap('b'))).rejects.toThrow(Cut);
    expect(await names()).toEqual(['a']);
  });

  it('cut off after a call, the call is done and its answer lost', async () => {
    const process = new CutCluster(cluster, new CutLine({ call: 2, when: 'after' }));
    await process.create(configMap('a'));
    await expect(process.create(configMap('b'))).rejects.toThrow(Cut);
    expect(await names()).toEqual(['a', 'b']);
  });

  it('a refusal is lost like any answer', async () => {
    const process = new CutCluster(cluster, new CutLine({ call: 1, when: 'after' }));
    await expect(process.get(refTo('none'))).rejects.toThrow(Cut);
  });

  it.each(['before', 'after'] as const)(
    'once cut off %s a call, nothing gets through by any way',
    async when => {
      const process = new CutCluster(cluster, new CutLine({ call: 1, when }));
      const other = process.as({ user: 'somebody' });
      await expect(process.list(configMaps)).rejects.toThrow(Cut);
      await expect(process.create(configMap('b'))).rejects.toThrow(Cut);
      await expect(other.create(configMap('c'))).rejects.toThrow(Cut);
      await expect(process.updateStatus(configMap('d'))).rejects.toThrow(Cut);
      const events = process.watch(configMaps)[Symbol.asyncIterator]();
      await expect(events.next()).rejects.toThrow(Cut);
      expect(await names()).toEqual([]);
      expect(process.calls()).toHaveLength(1);
    },
  );

  it('loses the answers of calls that were under way', async () => {
    const process = new CutCluster(cluster, new CutLine({ call: 2, when: 'before' }));
    const [first, second] = await Promise.allSettled([
      process.create(configMap('a')),
      process.create(configMap('b')),
    ]);
    expect([first.status, second.status]).toEqual(['rejected', 'rejected']);
    expect(await names()).toEqual(['a']);
  });

  it('ends watches, and tells them of nothing that happens afterwards', async () => {
    const process = new CutCluster(cluster, new CutLine({ call: 2, when: 'after' }));
    const seen: string[] = [];
    const watching = (async () => {
      for await (const { object } of process.watch(configMaps))
        seen.push(...[object.metadata.name ?? []].flat());
    })();
    await cluster.create(configMap('a'));
    await expect.poll(() => seen).toEqual(['a']);
    await expect(process.create(configMap('b'))).rejects.toThrow(Cut);
    await cluster.create(configMap('c'));
    await watching;
    expect(seen).not.toContain('c');
  });

  it('a watch can be where it is cut off', async () => {
    const process = new CutCluster(cluster, new CutLine({ call: 1, when: 'after' }));
    for await (const event of process.watch(configMaps)) expect.unreachable(event.type);
    expect(process.line.isCut).toBe(true);
    expect(process.calls().map(({ verb }) => verb)).toEqual(['cluster.watch']);
  });

  it('ends a watch also by the signal of who watches', async () => {
    const process = new CutCluster(cluster);
    const stop = new AbortController();
    setImmediate(() => stop.abort());
    const told: string[] = [];
    for await (const { type } of process.watch(configMaps, { signal: stop.signal })) told.push(type);
    expect(told.filter(type => type !== 'BOOKMARK')).toEqual([]);
    expect(process.line.isCut).toBe(false);
  });
});

describe('everyCut', () => {
  it('is before and after each call', () => {
    expect(everyCut(2)).toEqual([
      { call: 1, when: 'before' },
      { call: 1, when: 'after' },
      { call: 2, when: 'before' },
      { call: 2, when: 'after' },
    ]);
  });
});

describe('cutPort', () => {
  /** As a driver is: a class with private fields, asked for by another port. */
  class Driver {
    #applied: string[] = [];

    async apply(object: {
      readonly kind: string;
      readonly metadata: { readonly name: string };
    }): Promise<number> {
      return this.#applied.push(object.metadata.name);
    }

    get applied(): readonly string[] {
      return this.#applied;
    }
  }

  const driver = new Driver();
  const drivers = { for: (_: string) => driver, count: () => driver.applied.length };
  const job = (name: string) => ({ kind: 'Job', metadata: { name } });

  it('counts the calls of a port in one line with those of the cluster', async () => {
    const line = new CutLine({ call: 4, when: 'after' });
    const process = new CutCluster(cluster, line);
    const port = cutPort(drivers, line, { name: 'drivers', ports: ['for'], atOnce: ['count'] });
    await process.create(configMap('a'));
    expect(await port.for('Job').apply(job('one'))).toBe(1);
    await process.get(refTo('a'));
    expect(port.count()).toBe(1);
    await expect(port.for('Job').apply(job('two'))).rejects.toThrow(Cut);
    expect(driver.applied).toEqual(['one', 'two']);
    await expect(port.for('Job').apply(job('three'))).rejects.toThrow(Cut);
    await expect(process.get(refTo('a'))).rejects.toThrow(Cut);
    expect(driver.applied).toEqual(['one', 'two']);
    expect(line.calls().map(({ verb, about }) => `${verb} ${about}`)).toEqual([
      'cluster.create ConfigMap default/a',
      'drivers.for.apply Job /one',
      'cluster.get ConfigMap default/a',
      'drivers.for.apply Job /two',
    ]);
  });

  it('lets a call that is cut off before not through, also one that fails by itself', async () => {
    let asked = 0;
    const failing = {
      ask: async () => {
        asked += 1;
        throw new Error('no');
      },
    };
    const before = cutPort(failing, new CutLine({ call: 1, when: 'before' }), { name: 'port' });
    await expect(before.ask()).rejects.toThrow(Cut);
    expect(asked).toBe(0);
    const whole = cutPort(failing, new CutLine(), { name: 'port' });
    await expect(whole.ask()).rejects.toThrow('no');
  });
});
