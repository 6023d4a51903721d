import { expect } from 'vitest';
import type { Metadata, StoredObject } from '../cluster.ts';
import {
  type CaseWorld,
  configMapType,
  fieldsOf,
  managersOf,
  recordType,
  refOf,
  refusal,
} from './case-world.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

interface ApplyOptions {
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly metadata?: Metadata;
}

/** Applies the data of a ConfigMap as that manager. */
function apply(world: CaseWorld, fieldManager: string, data: object, options: ApplyOptions = {}) {
  const { name = '', namespace = '' } = world.configMap().metadata;
  const value = { ...configMapType, metadata: { name, namespace, ...options.metadata }, data };
  const patch = { type: 'apply', value, fieldManager, ...(options.force ? { force: true } : {}) } as const;
  return world.cluster.patch(refOf(value), patch, options.dryRun ? { dryRun: true } : {});
}

const dataOf = (object: StoredObject) => object['data'];

export const applyCases: ContractTopic = {
  topic: 'server-side apply',
  cases: {
    'what is not there is created': async world => {
      const made = await apply(world, 'one', { a: '1' });
      expect(dataOf(made)).toEqual({ a: '1' });
      expect(managersOf(made)).toEqual(['apply one']);
      expect(await world.now(made)).toEqual(made);
    },
    'of our kinds too, with defaults': async world => {
      const value = world.record();
      const made = await world.cluster.patch(refOf(value), { type: 'apply', value, fieldManager: 'one' });
      expect(made).toMatchObject({ metadata: { generation: 1 }, spec: { approval: 'manual' } });
    },
    'the same again changes nothing, not even the version': async world => {
      const made = await apply(world, 'one', { a: '1' });
      expect(await apply(world, 'one', { a: '1' })).toEqual(made);
    },
    'what was mine and is no longer in it goes': async world => {
      await apply(world, 'one', { a: '1', b: '2' });
      expect(dataOf(await apply(world, 'one', { a: '1' }))).toEqual({ a: '1' });
    },
    'what is not mine stays': async world => {
      await apply(world, 'one', { a: '1' });
      expect(dataOf(await apply(world, 'two', { b: '2' }))).toEqual({ a: '1', b: '2' });
      expect(dataOf(await apply(world, 'one', { a: '3' }))).toEqual({ a: '3', b: '2' });
    },
    'what is another’s with another value is a conflict that names the field': async world => {
      const made = await apply(world, 'one', { a: '1', b: '2' });
      const error = await refusal('Conflict', apply(world, 'two', { a: '9', b: '9' }));
      expect(fieldsOf(error)).toEqual(['.data.a', '.data.b']);
      expect(new Set(error.causes.map(cause => cause.reason))).toEqual(new Set(['FieldManagerConflict']));
      expect(await world.now(made)).toEqual(made);
    },
    'force takes the field over': async world => {
      await apply(world, 'one', { a: '1' });
      const forced = await apply(world, 'two', { a: '9' }, { force: true });
      expect(dataOf(forced)).toEqual({ a: '9' });
      expect(managersOf(forced)).toEqual(['apply two']);
      await refusal('Conflict', apply(world, 'one', { a: '1' }));
    },
    'what was taken over by force does not go when the first lets go of it': async world => {
      await apply(world, 'one', { a: '1', b: '2' });
      await apply(world, 'two', { a: '9' }, { force: true });
      expect(dataOf(await apply(world, 'one', { b: '2' }))).toEqual({ a: '9', b: '2' });
    },
    'the same value is shared, and stays until the last lets go': async world => {
      await apply(world, 'one', { a: '1', b: '1' });
      expect(managersOf(await apply(world, 'two', { a: '1', c: '1' }))).toEqual(['apply one', 'apply two']);
      expect(dataOf(await apply(world, 'one', { b: '1' }))).toEqual({ a: '1', b: '1', c: '1' });
      expect(dataOf(await apply(world, 'two', { c: '1' }))).toEqual({ b: '1', c: '1' });
    },
    'a shared value cannot be changed by one of its owners': async world => {
      await apply(world, 'one', { a: '1' });
      await apply(world, 'two', { a: '1' });
      expect(fieldsOf(await refusal('Conflict', apply(world, 'one', { a: '2' })))).toEqual(['.data.a']);
    },
    'a field that was written by an update is a conflict too': async world => {
      await world.cluster.create(world.configMap(), { fieldManager: 'kubectl' });
      const error = await refusal('Conflict', apply(world, 'one', { a: '9' }));
      expect(fieldsOf(error)).toEqual(['.data.a']);
    },
    'an update takes over what it changes': async world => {
      const made = await apply(world, 'one', { a: '1', b: '2' });
      await world.cluster.update({ ...made, data: { a: '5', b: '2' } }, { fieldManager: 'kubectl' });
      const error = await refusal('Conflict', apply(world, 'one', { a: '1', b: '2' }));
      expect(fieldsOf(error)).toEqual(['.data.a']);
    },
    'a merge patch takes over what it changes, and no more': async world => {
      const made = await apply(world, 'one', { a: '1', b: '2' });
      const value = { data: { a: '5' } };
      const patched = await world.cluster.patch(
        refOf(made),
        { type: 'merge', value },
        { fieldManager: 'two' },
      );
      expect(managersOf(patched)).toEqual(['apply one', 'update two']);
      expect(dataOf(await apply(world, 'one', { b: '3' }))).toEqual({ a: '5', b: '3' });
    },
    'an update and an apply of the same name are two managers': async world => {
      await world.cluster.create(world.configMap(), { fieldManager: 'one' });
      await refusal('Conflict', apply(world, 'one', { a: '9' }));
      const forced = await apply(world, 'one', { a: '9' }, { force: true });
      expect(managersOf(forced)).toContain('apply one');
    },
    'labels and annotations are owned one by one': async world => {
      await apply(world, 'one', { one: '1' }, { metadata: { labels: { a: '1' }, annotations: { x: '1' } } });
      const both = await apply(world, 'two', { two: '2' }, { metadata: { labels: { b: '2' } } });
      expect(both.metadata).toMatchObject({ labels: { a: '1', b: '2' }, annotations: { x: '1' } });
      const less = await apply(world, 'one', { one: '1' }, { metadata: { labels: {} } });
      expect(less.metadata.labels).toEqual({ b: '2' });
      expect(less.metadata.annotations).toBeUndefined();
    },
    'finalizers are a set: each manager has its own': async world => {
      await apply(world, 'one', { one: '1' }, { metadata: { finalizers: ['a.org/one'] } });
      const both = await apply(world, 'two', { two: '2' }, { metadata: { finalizers: ['a.org/two'] } });
      expect(both.metadata.finalizers).toEqual(['a.org/one', 'a.org/two']);
      const less = await apply(world, 'one', { one: '1' });
      expect(less.metadata.finalizers).toEqual(['a.org/two']);
    },
    'an apply of an old version is a conflict': async world => {
      const { metadata } = await apply(world, 'one', { a: '1' });
      const { resourceVersion } = metadata;
      await apply(world, 'one', { a: '2' });
      await refusal('Conflict', apply(world, 'one', { a: '3' }, { metadata: { resourceVersion } }));
    },
    'an apply cannot bring managed fields along': async world => {
      const made = await apply(world, 'one', { a: '1' });
      const metadata = { managedFields: made.metadata.managedFields ?? [] };
      await refusal('BadRequest', apply(world, 'one', { a: '2' }, { metadata }));
    },
    'a dry run answers as if, and nothing is there': async world => {
      expect(dataOf(await apply(world, 'one', { a: '1' }, { dryRun: true }))).toEqual({ a: '1' });
      await refusal('NotFound', world.cluster.get(world.ref(configMapType)));
    },
    'an apply that makes the object wrong is refused with its fields': async world => {
      const value = world.record('one', { services: [{ name: 'keystone' }] });
      const asked = world.cluster.patch(refOf(value), { type: 'apply', value, fieldManager: 'one' });
      expect(fieldsOf(await refusal('Invalid', asked))).toEqual(['spec.services[0].version']);
      await refusal('NotFound', world.cluster.get(world.ref(recordType)));
    },
    'managed fields name each field with its owner': async world => {
      const made = await apply(world, 'one', { a: '1' }, { metadata: { labels: { x: 'y' } } });
      expect(made.metadata.managedFields).toEqual([
        expect.objectContaining({
          manager: 'one',
          operation: 'Apply',
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:metadata': { 'f:labels': { 'f:x': {} } }, 'f:data': { 'f:a': {} } },
        }),
      ]);
    },
  },
};
