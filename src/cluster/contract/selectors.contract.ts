import { expect } from 'vitest';
import type { Selection } from '../cluster.ts';
import { type CaseWorld, configMapType, recordType, refusal } from './case-world.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

/** Which of the objects web, db and bare a selector picks. */
const byLabel: readonly (readonly [string, readonly string[]])[] = [
  ['app=web', ['web']],
  ['app==web', ['web']],
  ['app!=web', ['bare', 'db']],
  ['app in (web, db)', ['db', 'web']],
  ['app notin (web)', ['bare', 'db']],
  ['app', ['db', 'web']],
  ['!app', ['bare']],
  ['app=web,tier=back', []],
  ['app, tier = front', ['web']],
  ['tier=', ['db']],
  ['weight>5', ['web']],
  ['weight<5', ['db']],
  ['example.org/part-of=cloud', ['web']],
  ['nothing=here', []],
  ['constructor', []],
  ['!constructor,!toString', ['bare', 'db', 'web']],
  ['toString!=x,app=web', ['web']],
  ['app\n=web', ['web']],
];

const byField: readonly (readonly [string, (world: CaseWorld) => string, readonly string[]])[] = [
  ['metadata.name=', world => `metadata.name=${world.name('web')}`, ['web']],
  ['metadata.name==', world => `metadata.name==${world.name('web')}`, ['web']],
  ['metadata.name!=', world => `metadata.name!=${world.name('web')}`, ['bare', 'db']],
  ['metadata.namespace=', world => `metadata.namespace=${world.namespace}`, ['bare', 'db', 'web']],
  ['a comma in the value', () => 'metadata.name=a\\,b', []],
  ['another namespace', () => 'metadata.namespace=elsewhere', []],
  ['two fields', world => `metadata.name=${world.name('db')},metadata.namespace=${world.namespace}`, ['db']],
];

async function makeThree(world: CaseWorld): Promise<void> {
  const web = { app: 'web', tier: 'front', weight: '7', 'example.org/part-of': 'cloud' };
  await world.create(world.configMap('web', {}, { labels: web }));
  await world.create(world.configMap('db', {}, { labels: { app: 'db', tier: '', weight: '3' } }));
  await world.create(world.configMap('bare', {}));
}

async function namesOf(world: CaseWorld, selection: Selection): Promise<string[]> {
  const { items } = await world.cluster.list(configMapType, selection);
  return items.map(item => item.metadata.name.slice(world.id.length + 1));
}

/** Label selectors that nobody can read. */
const unreadable: readonly string[] = [
  ...[
    'app in web',
    'app=(web',
    '=web',
    'app in (web',
    'a b',
    'app,,tier',
    ',',
    'app=web,',
    ',app=web',
    'a=b=c',
  ],
  ...['!', '!a=b', 'n>x', 'n<-1', 'n>9223372036854775808', 'a (b)', 'x/y/z'],
];

export const selectorCases: ContractTopic = {
  topic: 'selectors',
  cases: {
    ...Object.fromEntries(
      byLabel.map(([selector, names]) => [
        `the label selector "${selector}" picks ${names.join(' and ') || 'nothing'}`,
        async world => {
          await makeThree(world);
          const labelSelector = `case=${world.id},${selector}`;
          expect(await namesOf(world, { namespace: world.namespace, labelSelector })).toEqual(names);
        },
      ]),
    ),
    ...Object.fromEntries(
      byField.map(([says, selector, names]) => [
        `the field selector with ${says} picks ${names.join(' and ') || 'nothing'}`,
        async (world: CaseWorld) => {
          await makeThree(world);
          expect(await namesOf(world, { ...world.mine, fieldSelector: selector(world) })).toEqual(names);
        },
      ]),
    ),
    'a selector on a name works for our own kinds': async world => {
      const made = await world.create(world.record('one'));
      await world.create(world.record('two'));
      const fieldSelector = `metadata.name=${made.metadata.name}`;
      const { items } = await world.cluster.list(recordType, { namespace: world.namespace, fieldSelector });
      expect(items).toEqual([made]);
    },
    'a selector on a field that the kind does not offer is a bad request': async world => {
      const asked = world.cluster.list(recordType, { ...world.mine, fieldSelector: 'spec.approval=manual' });
      await refusal('BadRequest', asked);
    },
    'a label selector that is none is a bad request': async world => {
      for (const labelSelector of unreadable) {
        await refusal('BadRequest', world.cluster.list(recordType, { ...world.mine, labelSelector }));
      }
    },
    'a field selector that is none is a bad request': async world => {
      for (const fieldSelector of ['name', ' metadata.name=x', 'metadata.name=a=b', 'metadata.name=a\\']) {
        await refusal('BadRequest', world.cluster.list(recordType, { ...world.mine, fieldSelector }));
      }
    },
  },
};
