import { expect } from 'vitest';
import { fieldsOf, keystone, managersOf, recordType, refusal, versionOf } from './case-world.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

export const createCases: ContractTopic = {
  topic: 'creating',
  cases: {
    'a new object has an identity, a version, a time and the generation 1': async world => {
      const { metadata } = await world.create(world.record());
      expect(metadata).toMatchObject({ name: world.name(), namespace: world.namespace, generation: 1 });
      expect(metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
      expect(metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(versionOf({ ...recordType, metadata })).toBeGreaterThan(0n);
    },
    'a later object has a greater version': async world => {
      const one = await world.create(world.record('one'));
      const two = await world.create(world.configMap('two'));
      expect(versionOf(two)).toBeGreaterThan(versionOf(one));
    },
    'defaults are filled in': async world => {
      const { spec } = await world.create(world.record());
      expect(spec).toMatchObject({ approval: 'manual', maxParallel: 4, services: [{ paused: false }] });
    },
    'a ConfigMap has no generation': async world => {
      const { metadata } = await world.create(world.configMap());
      expect(metadata.generation).toBeUndefined();
    },
    'a second object of the same name is refused': async world => {
      const made = await world.create(world.record());
      await refusal('AlreadyExists', world.create(world.record('one', { services: [] })));
      expect(await world.now(made)).toEqual(made);
    },
    'of many that create the same object at once one wins': async world => {
      const tries = [1, 2, 3, 4, 5].map(number => world.create(world.configMap('one', { n: `${number}` })));
      const ends = await Promise.allSettled(tries);
      expect(ends.filter(end => end.status === 'fulfilled')).toHaveLength(1);
      const refused = ends.flatMap(end => (end.status === 'rejected' ? [end.reason.reason] : []));
      expect(new Set(refused)).toEqual(new Set(['AlreadyExists']));
    },
    'a name is made from generateName, another each time': async world => {
      const { metadata, ...rest } = world.record();
      const nameless = { ...rest, metadata: { namespace: world.namespace, generateName: 'made-' } };
      const names = [await world.create(nameless), await world.create(nameless)].map(
        one => one.metadata.name,
      );
      for (const name of names) expect(name).toMatch(/^made-[a-z0-9]{5}$/);
      expect(names[0]).not.toBe(names[1]);
      expect(metadata.name).toBeDefined();
    },
    'a name wins over generateName': async world => {
      const made = await world.create(world.record('one', undefined, { generateName: 'made-' }));
      expect(made.metadata.name).toBe(world.name());
    },
    'an object without any name is refused': async world => {
      const nameless = { ...recordType, metadata: { namespace: world.namespace }, spec: { services: [] } };
      expect(fieldsOf(await refusal('Invalid', world.create(nameless)))).toEqual(['metadata.name']);
    },
    'a name that is none is refused': async world => {
      for (const name of ['Upper', 'under_score', '-dash', 'a'.repeat(254)]) {
        const error = await refusal('Invalid', world.create(world.configMap('one', {}, { name })));
        expect(fieldsOf(error)).toEqual(['metadata.name']);
      }
    },
    'labels and annotations that are none are refused': async world => {
      const labels = { 'a b': 'x', ok: 'not ok!' };
      const annotations = { '/': 'x' };
      const error = await refusal(
        'Invalid',
        world.create(world.configMap('one', {}, { labels, annotations })),
      );
      expect(fieldsOf(error)).toEqual(['metadata.annotations', 'metadata.labels']);
    },
    'a version cannot be given to a new object': async world => {
      const versioned = world.record('one', undefined, { resourceVersion: '5' });
      await refusal(['BadRequest', 'InternalError'], world.create(versioned));
      await refusal('NotFound', world.now(versioned));
    },
    'what the server decides cannot be chosen': async world => {
      const chosen = { uid: 'mine', generation: 7, creationTimestamp: '2001-01-01T00:00:00Z' };
      const { metadata } = await world.create(world.record('one', undefined, chosen));
      expect(metadata.uid).not.toBe('mine');
      expect(metadata.generation).toBe(1);
      expect(metadata.creationTimestamp > '2020').toBe(true);
    },
    'a new object has no status, whatever was sent': async world => {
      const made = await world.create({ ...world.phase(), status: { satisfied: true } });
      expect(made['status']).toBeUndefined();
    },
    'a dry run answers as if, and nothing is there': async world => {
      const made = await world.cluster.create(world.record(), { dryRun: true });
      expect(made).toMatchObject({ spec: { approval: 'manual' }, metadata: { generation: 1 } });
      await refusal('NotFound', world.cluster.get(world.ref(recordType)));
    },
    'a dry run is refused as the real one': async world => {
      const wrong = world.record('one', { services: [keystone, keystone] });
      await refusal('Invalid', world.cluster.create(wrong, { dryRun: true }));
    },
    'who created it owns the fields': async world => {
      const made = await world.cluster.create(world.record(), { fieldManager: 'me' });
      expect(managersOf(made)).toEqual(['update me']);
    },
    'who does not say its name is afloat': async world => {
      expect(managersOf(await world.create(world.record()))).toEqual(['update afloat']);
    },
    'an object in a namespace that is not there is refused': async world => {
      await refusal('NotFound', world.create(world.record('one', undefined, { namespace: 'no-such-place' })));
    },
    'a namespaced object without a namespace is refused': async world => {
      const { metadata, ...rest } = world.record();
      const homeless = { ...rest, metadata: { name: metadata.name ?? '' } };
      await refusal('BadRequest', world.create(homeless));
    },
  },
};
