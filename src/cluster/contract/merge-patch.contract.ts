import { expect } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import type { ClusterObject, StoredObject } from '../cluster.ts';
import {
  type CaseWorld,
  configMapType,
  fieldsOf,
  glance,
  keystone,
  recordType,
  refOf,
  refusal,
  versionOf,
} from './case-world.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

function merge(world: CaseWorld, object: ClusterObject, value: JsonObject): Promise<StoredObject> {
  return world.cluster.patch(refOf(object), { type: 'merge', value });
}

export const mergePatchCases: ContractTopic = {
  topic: 'merge patch',
  cases: {
    'maps are merged, and null takes away': async world => {
      const made = await world.create(world.configMap('one', { a: '1', b: '2' }));
      const patched = await merge(world, made, { data: { b: null, c: '3' } });
      expect(patched['data']).toEqual({ a: '1', c: '3' });
      expect(versionOf(patched)).toBeGreaterThan(versionOf(made));
    },
    'lists are replaced, also those that an apply would merge': async world => {
      const made = await world.create(world.record());
      const patched = await merge(world, made, { spec: { services: [glance] } });
      expect(patched).toMatchObject({ spec: { services: [glance] }, metadata: { generation: 2 } });
      expect((patched['spec'] as { services: unknown[] }).services).toHaveLength(1);
    },
    'a field with a default that is taken away has its default again': async world => {
      const made = await world.create(world.record('one', { services: [], maxParallel: 9 }));
      const patched = await merge(world, made, { spec: { maxParallel: null } });
      expect(patched['spec']).toMatchObject({ maxParallel: 4 });
    },
    'labels are merged': async world => {
      const made = await world.create(world.configMap('one', {}, { labels: { color: 'red', size: 'l' } }));
      const patched = await merge(world, made, { metadata: { labels: { color: null, shape: 'round' } } });
      expect(patched.metadata.labels).toEqual({ case: world.id, size: 'l', shape: 'round' });
    },
    'a patch that changes nothing keeps the version': async world => {
      const made = await world.create(world.record());
      const patched = await merge(world, made, { spec: { approval: 'manual' } });
      expect(patched.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
    },
    'a patch without a version is for whatever version is there': async world => {
      const made = await world.create(world.configMap());
      await merge(world, made, { data: { a: '2' } });
      const patched = await merge(world, made, { data: { b: '3' } });
      expect(patched['data']).toEqual({ a: '2', b: '3' });
    },
    'a patch with an old version is a conflict': async world => {
      const made = await world.create(world.configMap());
      const { resourceVersion } = made.metadata;
      await merge(world, made, { data: { a: '2' } });
      await refusal('Conflict', merge(world, made, { metadata: { resourceVersion }, data: { a: '3' } }));
    },
    'a patch cannot give another identity': async world => {
      const made = await world.create(world.configMap());
      const uid = '00000000-0000-4000-8000-000000000000';
      const error = await refusal('Invalid', merge(world, made, { metadata: { uid }, data: { a: '3' } }));
      expect(fieldsOf(error)).toEqual(['metadata.uid']);
    },
    'patches side by side all happen': async world => {
      const made = await world.create(world.configMap('one', {}));
      const keys = ['a', 'b', 'c', 'd', 'e'];
      await Promise.all(keys.map(key => merge(world, made, { data: { [key]: key } })));
      expect((await world.now(made))['data']).toEqual(Object.fromEntries(keys.map(key => [key, key])));
    },
    'a patch of what is not there is refused': async world => {
      await refusal('NotFound', merge(world, world.record(), { spec: { approval: 'manual' } }));
    },
    'a patch that makes the object wrong is refused with its fields': async world => {
      const made = await world.create(world.record());
      const value = { spec: { maxParallel: 'many', services: [{ ...keystone, paused: 1 }] } };
      const error = await refusal('Invalid', merge(world, made, value));
      expect(fieldsOf(error)).toEqual(['spec.maxParallel', 'spec.services[0].paused']);
      expect(await world.now(made)).toEqual(made);
    },
    'a patch cannot touch the status': async world => {
      const made = await world.create(world.phase());
      const patched = await merge(world, made, { status: { satisfied: true } });
      expect(patched['status']).toBeUndefined();
      expect(patched.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
    },
    'a patch cannot give another name': async world => {
      const made = await world.create(world.configMap());
      await refusal('BadRequest', merge(world, made, { metadata: { name: 'other' } }));
    },
    'a dry run answers as if, and nothing is changed': async world => {
      const made = await world.create(world.configMap());
      const value = { data: { a: '2' } };
      const patched = await world.cluster.patch(refOf(made), { type: 'merge', value }, { dryRun: true });
      expect(patched['data']).toEqual({ a: '2' });
      expect(await world.cluster.get(world.ref(configMapType))).toEqual(made);
    },
    'a new generation comes with a changed spec only': async world => {
      await world.create(world.record());
      const ref = world.ref(recordType);
      const patch = (value: JsonObject) => world.cluster.patch(ref, { type: 'merge', value });
      expect((await patch({ metadata: { annotations: { a: 'b' } } })).metadata.generation).toBe(1);
      expect((await patch({ spec: { approval: 'automatic' } })).metadata.generation).toBe(2);
    },
  },
};
