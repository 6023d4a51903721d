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
    'a patch sees nothing but the object': async world => {
      const made = await world.create(world.configMap());
      for (const path of ['/data/hasOwnProperty/call', '/data/constructor/prototype/p', '/data/toString/x']) {
        await refusal('Invalid', patch(world, made, { op: 'add', path, value: 'x' }));
      }
      await refusal('Invalid', patch(world, made, { op: 'remove', path: '/data/toString' }));
      expect(Object.hasOwn(Object.prototype.hasOwnProperty, 'call')).toBe(false);
      expect(await world.now(made)).toEqual(made);
    },
    'a key may have any name': async world => {
      const made = await world.create(world.configMap());
      const value = { op: 'add', value: 'x' };
      const patched = await patch(
        world,
        made,
        { ...value, path: '/data/__proto__' },
        { ...value, path: '/data/constructor' },
      );
      expect(Object.entries(patched['data'] as object).sort()).toEqual([
        ['__proto__', 'x'],
        ['a', '1'],
        ['constructor', 'x'],
      ]);
    },
    'an operation without what it needs is refused': async world => {
      const made = await world.create(world.configMap());
      await refusal('Invalid', patch(world, made, { op: 'move', path: '/data/b' }));
      await refusal('Invalid', patch(world, made, { op: 'copy', path: '/data/b' }));
      await refusal('Invalid', patch(world, made, { op: 'remove', path: 'data' }));
      await refusal('Invalid', patch(world, made, { op: 'add', path: 'data', value: {} }));
      await refusal('Invalid', patch(world, made, { op: 'add' }));
      await refusal('Invalid', patch(world, made, { path: '/data/a' }));
      await refusal('Invalid', patch(world, made, { op: 'remove', path: '' }));
      await refusal('Invalid', patch(world, made, { op: 'add', path: '/data/a/b', value: 'x' }));
      expect(await world.now(made)).toEqual(made);
    },
    'the whole object may be replaced by a patch': async world => {
      const made = await world.create(world.configMap());
      const value = world.configMap('one', { z: '1' }) as unknown as JsonObject;
      const patched = await patch(world, made, { op: 'replace', path: '', value });
      expect(patched['data']).toEqual({ z: '1' });
      expect(patched.metadata.uid).toBe(made.metadata.uid);
    },
    'an index may be counted from the end': async world => {
      const made = await world.create(world.record('one', { services: [keystone, glance] }));
      const patched = await patch(world, made, { op: 'remove', path: '/spec/services/-1' });
      expect(patched['spec']).toMatchObject({ services: [keystone] });
      for (const index of ['-2', '1', 'x', '-']) {
        await refusal('Invalid', patch(world, made, { op: 'remove', path: `/spec/services/${index}` }));
      }
    },
    'a value that is left out is null, and null is what is not there': async world => {
      const made = await world.create(world.configMap());
      const patched = await patch(
        world,
        made,
        { op: 'test', path: '/data/missing' },
        { op: 'test', path: '/data/missing', value: null },
        { op: 'replace', path: '/data/b', value: '2' },
      );
      expect(patched['data']).toEqual({ a: '1', b: '2' });
      await refusal('Invalid', patch(world, made, { op: 'test', path: '/data/a' }));
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
