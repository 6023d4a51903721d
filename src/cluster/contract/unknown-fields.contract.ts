import { expect } from 'vitest';
import { apiVersion } from '../../api/group.ts';
import { phaseKinds } from '../../api/phase-kinds.ts';
import { type CaseWorld, keystone, refOf, refusal } from './case-world.contract.ts';
import { leastSpec } from './least-spec.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

const extra = { clientTLSSecret: 'keystone-tls', openstackEndpoints: ['http://one', { deep: [1, null] }] };

const strict = { fieldValidation: 'Strict' } as const;

export const unknownFieldCases: ContractTopic = {
  topic: 'fields that the schema does not have',
  cases: {
    ...Object.fromEntries(
      [...phaseKinds.map(({ kind }) => kind), 'Oslc'].map(kind => [
        `are kept in the spec of ${kind}, also when it is strict`,
        async (world: CaseWorld) => {
          const object = world.object({ apiVersion, kind }, 'one', {
            spec: { ...leastSpec(kind), ...extra },
          });
          const made = await world.cluster.create(object, strict);
          expect(made['spec']).toMatchObject({ ...extra, targetState: 'deployed' });
          expect((await world.now(made))['spec']).toMatchObject(extra);
        },
      ]),
    ),
    'are dropped from a record': async world => {
      const spec = { services: [{ ...keystone, colour: 'red' }], mood: 'good' };
      const made = await world.create(world.record('one', spec));
      expect(made['spec']).not.toHaveProperty('mood');
      expect(made['spec']).not.toHaveProperty('services[0].colour');
    },
    'are dropped from a record by every way of writing': async world => {
      const made = await world.create(world.record());
      const spec = { services: [keystone], mood: 'good' };
      expect((await world.cluster.update({ ...made, spec }))['spec']).not.toHaveProperty('mood');
      const merged = await world.cluster.patch(refOf(made), {
        type: 'merge',
        value: { spec: { mood: 'good' } },
      });
      expect(merged['spec']).not.toHaveProperty('mood');
      const value = [{ op: 'add', path: '/spec/mood', value: 'good' }];
      expect((await world.cluster.patch(refOf(made), { type: 'json', value }))['spec']).not.toHaveProperty(
        'mood',
      );
      expect((await world.now(made)).metadata.resourceVersion).toBe(made.metadata.resourceVersion);
    },
    'are dropped beside the spec too': async world => {
      const made = await world.create({ ...world.phase(), more: { a: 1 } });
      expect(made).not.toHaveProperty('more');
    },
    'are dropped from the status of a phase': async world => {
      const made = await world.create(world.phase());
      const changed = await world.cluster.updateStatus({
        ...made,
        status: { mood: 'good', satisfied: true },
      });
      expect(changed['status']).toEqual({ satisfied: true });
    },
    'are dropped without a word when they are to be ignored': async world => {
      const object = world.record('one', { services: [], mood: 'good' });
      const made = await world.cluster.create(object, { fieldValidation: 'Ignore' });
      expect(made['spec']).not.toHaveProperty('mood');
    },
    'are refused in a record when it is strict': async world => {
      const object = world.record('one', { services: [{ ...keystone, colour: 'red' }], mood: 'good' });
      await refusal('BadRequest', world.cluster.create(object, strict));
      await refusal('NotFound', world.now(object));
    },
    'are refused in an update when it is strict': async world => {
      const made = await world.create(world.record());
      const spec = { services: [keystone], mood: 'good' };
      await refusal('BadRequest', world.cluster.update({ ...made, spec }, strict));
    },
    'are refused in a merge patch when it is strict': async world => {
      const made = await world.create(world.record());
      const patch = { type: 'merge', value: { spec: { mood: 'good' } } } as const;
      await refusal('Invalid', world.cluster.patch(refOf(made), patch, strict));
      expect(await world.now(made)).toEqual(made);
    },
    'are refused in an apply, as they have no owner': async world => {
      const value = world.record('one', { services: [], mood: 'good' });
      const asked = world.cluster.patch(refOf(value), { type: 'apply', value, fieldManager: 'one' }, strict);
      await refusal('InternalError', asked);
    },
    'are kept in values, which are free': async world => {
      const values = { anything: { at: ['all', 1, null, true] } };
      const made = await world.cluster.create(
        world.record('one', { services: [{ ...keystone, values }] }),
        strict,
      );
      expect(made['spec']).toMatchObject({ services: [{ values }] });
    },
    'are dropped from the metadata': async world => {
      const { metadata, ...rest } = world.record();
      const object = { ...rest, metadata: { ...metadata, mood: 'good' } };
      expect((await world.create(object)).metadata).not.toHaveProperty('mood');
    },
  },
};
