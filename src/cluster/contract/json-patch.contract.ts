import { expect } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import type { ClusterObject, StoredObject } from '../cluster.ts';
import {
  type CaseWorld,
  fieldsOf,
  glance,
  keystone,
  refOf,
  refusal,
  versionOf,
} from './case-world.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

function patch(world: CaseWorld, object: ClusterObject, ...value: JsonObject[]): Promise<StoredObject> {
  return world.cluster.patch(refOf(object), { type: 'json', value });
}

export const jsonPatchCases: ContractTopic = {
  topic: 'JSON patch',
  cases: {
    'operations are done one after the other': async world => {
      const made = await world.create(world.configMap('one', { a: '1', b: '2' }));
      const patched = await patch(
        world,
        made,
        { op: 'add', path: '/data/c', value: '3' },
        { op: 'replace', path: '/data/a', value: '9' },
        { op: 'remove', path: '/data/b' },
        { op: 'move', from: '/data/c', path: '/data/d' },
        { op: 'copy', from: '/data/d', path: '/data/e' },
      );
      expect(patched['data']).toEqual({ a: '9', d: '3', e: '3' });
      expect(versionOf(patched)).toBeGreaterThan(versionOf(made));
    },
    'an item is put at the end of a list': async world => {
      const made = await world.create(world.record());
      const patched = await patch(world, made, { op: 'add', path: '/spec/services/-', value: glance });
      expect(patched['spec']).toMatchObject({ services: [keystone, glance] });
      expect(patched.metadata.generation).toBe(2);
    },
    'a key with a slash is written as the standard has it': async world => {
      const made = await world.create(world.configMap('one', {}, { annotations: { 'a.org/b': 'x' } }));
      const path = '/metadata/annotations/a.org~1b';
      const patched = await patch(world, made, { op: 'replace', path, value: 'y' });
      expect(patched.metadata.annotations).toEqual({ 'a.org/b': 'y' });
    },
    'a test that holds lets the rest happen': async world => {
      const made = await world.create(world.configMap());
      const patched = await patch(
        world,
        made,
        { op: 'test', path: '/data/a', value: '1' },
        { op: 'replace', path: '/data/a', value: '2' },
      );
      expect(patched['data']).toEqual({ a: '2' });
    },
    'a test that does not hold refuses the whole': async world => {
      const made = await world.create(world.configMap());
      const add = { op: 'add', path: '/data/b', value: '2' };
      await refusal('Invalid', patch(world, made, add, { op: 'test', path: '/data/a', value: 'other' }));
      expect(await world.now(made)).toEqual(made);
    },
    'a test on the version of an object is a lock': async world => {
      const made = await world.create(world.configMap());
      const path = '/metadata/resourceVersion';
      const test = { op: 'test', path, value: made.metadata.resourceVersion };
      await patch(world, made, test, { op: 'replace', path: '/data/a', value: '2' });
      await refusal('Invalid', patch(world, made, test, { op: 'replace', path: '/data/a', value: '3' }));
    },
    'a path that is not there refuses the whole': async world => {
      const made = await world.create(world.configMap());
      const add = { op: 'add', path: '/data/b', value: '2' };
      await refusal('Invalid', patch(world, made, add, { op: 'replace', path: '/no/such', value: 1 }));
      await refusal('Invalid', patch(world, made, add, { op: 'remove', path: '/data/missing' }));
      expect(await world.now(made)).toEqual(made);
    },
    'an operation that is none is a bad request': async world => {
      const made = await world.create(world.configMap());
      await refusal('Invalid', patch(world, made, { op: 'conjure', path: '/data/a', value: '2' }));
    },
    'a patch that makes the object wrong is refused with its fields': async world => {
      const made = await world.create(world.record());
      const wrong = { op: 'add', path: '/spec/services/-', value: { name: 'Glance', version: '1' } };
      const error = await refusal('Invalid', patch(world, made, wrong));
      expect(fieldsOf(error)).toEqual(['spec.services[1].name']);
    },
    'a patch that changes nothing keeps the version': async world => {
      const made = await world.create(world.configMap());
      const patched = await patch(world, made, { op: 'replace', path: '/data/a', value: '1' });
      expect(patched.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
    },
  },
};
