import { expect } from 'vitest';
import { fieldsOf, glance, keystone, recordType, refOf, refusal, versionOf } from './case-world.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

export const updateCases: ContractTopic = {
  topic: 'updating',
  cases: {
    'an update replaces the spec, with a new version and generation': async world => {
      const made = await world.create(world.record('one', { services: [keystone], maxParallel: 9 }));
      const changed = await world.cluster.update({ ...made, spec: { services: [glance] } });
      expect(changed).toMatchObject({ metadata: { generation: 2 }, spec: { maxParallel: 4 } });
      expect(changed['spec']).toMatchObject({ services: [glance] });
      expect(versionOf(changed)).toBeGreaterThan(versionOf(made));
      expect(await world.now(made)).toEqual(changed);
    },
    'a changed label is a new version and no new generation': async world => {
      const made = await world.create(world.record());
      const metadata = { ...made.metadata, labels: { case: world.id, color: 'red' } };
      const changed = await world.cluster.update({ ...made, metadata });
      expect(changed.metadata).toMatchObject({ generation: 1, labels: { color: 'red' } });
      expect(versionOf(changed)).toBeGreaterThan(versionOf(made));
    },
    'labels and annotations that are left out are gone': async world => {
      const made = await world.create(world.configMap('one', {}, { annotations: { a: 'b' } }));
      const { labels, annotations, ...metadata } = made.metadata;
      const changed = await world.cluster.update({ ...made, metadata });
      expect(changed.metadata.labels).toBeUndefined();
      expect(changed.metadata.annotations).toBeUndefined();
      expect([labels, annotations]).toEqual([{ case: world.id }, { a: 'b' }]);
    },
    'an update of an old version is a conflict and changes nothing': async world => {
      const made = await world.create(world.record());
      const changed = await world.cluster.update({ ...made, spec: { services: [glance] } });
      await refusal('Conflict', world.cluster.update({ ...made, spec: { services: [] } }));
      expect(await world.now(made)).toEqual(changed);
    },
    'of two writers on one version one gets a conflict': async world => {
      const made = await world.create(world.configMap());
      const tries = ['x', 'y'].map(a => world.cluster.update({ ...made, data: { a } }));
      const ends = await Promise.allSettled(tries);
      expect(ends.filter(end => end.status === 'fulfilled')).toHaveLength(1);
      const [refused] = ends.filter(end => end.status === 'rejected');
      expect(refused?.reason).toMatchObject({ reason: 'Conflict' });
    },
    'an update that changes nothing keeps the version': async world => {
      const made = await world.create(world.record());
      expect(await world.cluster.update(made)).toEqual(made);
      const written = { ...made, spec: { services: [keystone] } };
      const again = await world.cluster.update(written);
      expect(again.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
    },
    'an update without a version is refused for our kinds': async world => {
      const made = await world.create(world.record());
      const { resourceVersion, ...metadata } = made.metadata;
      const error = await refusal('Invalid', world.cluster.update({ ...made, metadata }));
      expect(fieldsOf(error)).toEqual(['metadata.resourceVersion']);
      expect(resourceVersion).toBeDefined();
    },
    'an update without a version replaces a ConfigMap whatever its version': async world => {
      await world.create(world.configMap());
      const changed = await world.cluster.update(world.configMap('one', { b: '2' }));
      expect(changed['data']).toEqual({ b: '2' });
    },
    'an update of what is not there is refused': async world => {
      const lost = world.record('one', undefined, { resourceVersion: '5' });
      await refusal('NotFound', world.cluster.update(lost));
    },
    'an update of an object that was made anew is a conflict': async world => {
      const made = await world.create(world.configMap());
      await world.cluster.delete(refOf(made));
      await world.create(world.configMap());
      const { resourceVersion, ...metadata } = made.metadata;
      await refusal('Conflict', world.cluster.update({ ...made, metadata }));
      expect(resourceVersion).toBeDefined();
    },
    'an update leaves the status as it is': async world => {
      const made = await world.create(world.phase());
      const status = { satisfied: true };
      const ready = await world.cluster.updateStatus({ ...made, status });
      const spec = { ...(ready['spec'] as object), targetState: 'uninitialized' };
      const changed = await world.cluster.update({ ...ready, spec, status: { satisfied: false } });
      expect(changed).toMatchObject({ status, metadata: { generation: 2 } });
      const without = Object.fromEntries(Object.entries(changed).filter(([key]) => key !== 'status'));
      expect(await world.cluster.update({ ...changed, ...without })).toMatchObject({ status });
    },
    'the generation cannot be chosen': async world => {
      const made = await world.create(world.record());
      const changed = await world.cluster.update({ ...made, metadata: { ...made.metadata, generation: 9 } });
      expect(changed.metadata.generation).toBe(1);
    },
    'identity and time of birth stay when they are left out': async world => {
      const made = await world.create(world.record());
      const { resourceVersion } = made.metadata;
      const bare = world.record('one', { services: [glance] }, { resourceVersion });
      const { uid, creationTimestamp } = (await world.cluster.update(bare)).metadata;
      expect({ uid, creationTimestamp }).toEqual({
        uid: made.metadata.uid,
        creationTimestamp: made.metadata.creationTimestamp,
      });
    },
    'a dry run answers as if, and nothing is changed': async world => {
      const made = await world.create(world.record());
      const changed = await world.cluster.update({ ...made, spec: { services: [glance] } }, { dryRun: true });
      expect(changed).toMatchObject({ spec: { services: [glance] }, metadata: { generation: 2 } });
      expect(await world.now(made)).toEqual(made);
    },
    'an update that is wrong is refused with its fields and changes nothing': async world => {
      const made = await world.create(world.record());
      const spec = { services: [{ name: 'keystone' }], maxParallel: 0 };
      const error = await refusal('Invalid', world.cluster.update({ ...made, spec }));
      expect(fieldsOf(error)).toEqual(['spec.maxParallel', 'spec.services[0].version']);
      expect(await world.now(made)).toEqual(made);
    },
    'versions grow with every write, over all kinds': async world => {
      const made = await world.create(world.configMap());
      const second = await world.create(world.record());
      const third = await world.cluster.update({ ...made, data: { a: '2' } });
      const fourth = await world.cluster.patch(world.ref(recordType), {
        type: 'merge',
        value: { spec: { approval: 'automatic' } },
      });
      const versions = [made, second, third, fourth].map(versionOf);
      expect(versions.toSorted((a, b) => Number(a - b))).toEqual(versions);
      expect(new Set(versions).size).toBe(4);
    },
  },
};
