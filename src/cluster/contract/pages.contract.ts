import { expect } from 'vitest';
import type { ObjectList } from '../cluster.ts';
import { type CaseWorld, configMapType, recordType, refusal } from './case-world.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

async function makeFive(world: CaseWorld): Promise<void> {
  for (const suffix of ['a', 'b', 'c', 'd', 'e']) await world.create(world.record(suffix));
}

function namesIn(world: CaseWorld, list: ObjectList): string[] {
  return list.items.map(item => item.metadata.name.slice(world.id.length + 1));
}

/** All pages of two, from the first one on; `between` runs after the first. */
async function readPages(world: CaseWorld, between: () => Promise<unknown> = async () => {}) {
  const pages = [await world.cluster.list(recordType, { ...world.mine, limit: 2 })];
  await between();
  for (let next = pages[0]?.continue; next !== undefined; next = pages.at(-1)?.continue) {
    pages.push(await world.cluster.list(recordType, { ...world.mine, limit: 2, continue: next }));
  }
  return pages;
}

export const pageCases: ContractTopic = {
  topic: 'pages',
  cases: {
    'pages together have every object once, in order': async world => {
      await makeFive(world);
      const pages = await readPages(world);
      expect(pages.map(page => namesIn(world, page))).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    },
    'a list that fits into its limit says of no more': async world => {
      await makeFive(world);
      const list = await world.cluster.list(recordType, { ...world.mine, limit: 5 });
      expect(list.items).toHaveLength(5);
      expect(list.continue).toBeUndefined();
    },
    'a limit counts what is selected and not what is passed over': async world => {
      for (const suffix of ['a', 'b', 'c', 'd', 'e', 'f']) {
        const labels = { odd: String('ace'.includes(suffix)) };
        await world.create(world.configMap(suffix, {}, { labels }));
      }
      const labelSelector = `case=${world.id},odd=true`;
      const selection = { namespace: world.namespace, labelSelector, limit: 2 };
      const list = await world.cluster.list(configMapType, selection);
      expect(namesIn(world, list)).toEqual(['a', 'c']);
      expect(list.continue).toBeDefined();
    },
    'all pages are of the moment of the first': async world => {
      await makeFive(world);
      const pages = await readPages(world, async () => {
        await world.create(world.record('c1'));
        await world.cluster.delete(world.ref(recordType, 'd'));
      });
      expect(pages.flatMap(page => namesIn(world, page))).toEqual(['a', 'b', 'c', 'd', 'e']);
      expect(new Set(pages.map(page => page.resourceVersion)).size).toBe(1);
    },
    'a watch from the moment of the pages has what happened between them': async world => {
      await makeFive(world);
      const pages = await readPages(world, () => world.create(world.record('c1')));
      await world.watch(recordType, pages.at(-1)?.resourceVersion).expectSteps(['ADDED c1']);
    },
    'a token that nobody gave out is a bad request': async world => {
      const asked = world.cluster.list(recordType, { ...world.mine, limit: 2, continue: 'nonsense' });
      await refusal('BadRequest', asked);
    },
  },
};
