import { expect } from 'vitest';
import type { ClusterObject, StoredObject } from '../cluster.ts';
import { type CaseWorld, fieldsOf, glance, keystone, refOf, refusal } from './case-world.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

function apply(world: CaseWorld, fieldManager: string, spec: object, force = false): Promise<StoredObject> {
  const { metadata, ...type } = world.record();
  const { name = '', namespace = '' } = metadata;
  const value: ClusterObject = { ...type, metadata: { name, namespace }, spec };
  return world.cluster.patch(refOf(value), { type: 'apply', value, fieldManager, force });
}

interface Service {
  readonly name: string;
  readonly version: string;
  readonly dependsOn: readonly string[];
}

function servicesOf(object: StoredObject): string[] {
  const { services } = object['spec'] as { services: readonly Service[] };
  return services.map(({ name, version, dependsOn }) => [name, version, ...dependsOn].join(' '));
}

const nova = { name: 'nova', version: '31.0.0' };

export const applyListCases: ContractTopic = {
  topic: 'server-side apply of lists',
  cases: {
    'services of two managers stand side by side, by name': async world => {
      await apply(world, 'one', { services: [keystone] });
      const both = await apply(world, 'two', { services: [glance] });
      expect(servicesOf(both)).toEqual(['keystone 27.0.0', 'glance 30.0.0']);
    },
    'a manager takes away its own services only': async world => {
      await apply(world, 'one', { services: [keystone, nova] });
      await apply(world, 'two', { services: [glance] });
      expect(servicesOf(await apply(world, 'one', { services: [nova] }))).toEqual([
        'nova 31.0.0',
        'glance 30.0.0',
      ]);
    },
    'a conflict inside a list names the item by its key': async world => {
      await apply(world, 'one', { services: [glance, keystone] });
      const asked = apply(world, 'two', { services: [{ name: 'keystone', version: '28.0.0' }] });
      expect(fieldsOf(await refusal('Conflict', asked))).toEqual(['.spec.services[name="keystone"].version']);
    },
    'two managers own different fields of one item': async world => {
      const recreated = { ...keystone, strategy: 'recreate' };
      await apply(world, 'one', { services: [keystone, nova] });
      const both = await apply(world, 'two', { services: [recreated] });
      expect(both['spec']).toMatchObject({ services: [recreated, nova] });
      const less = await apply(world, 'one', { services: [nova] });
      expect(less['spec']).toMatchObject({ services: [recreated, nova] });
      const none = await apply(world, 'two', { services: [nova] });
      expect(servicesOf(none)).toEqual(['nova 31.0.0']);
    },
    'the items of a set are owned one by one': async world => {
      await apply(world, 'one', { services: [{ ...keystone, dependsOn: ['mariadb'] }] });
      const both = await apply(world, 'two', { services: [{ ...keystone, dependsOn: ['memcached'] }] });
      expect(servicesOf(both)).toEqual(['keystone 27.0.0 mariadb memcached']);
      const less = await apply(world, 'one', { services: [keystone] });
      expect(servicesOf(less)).toEqual(['keystone 27.0.0 memcached']);
    },
    'a list without a key belongs to one as a whole': async world => {
      const window = { days: ['mon'], start: '22:00', durationMinutes: 60 };
      await apply(world, 'one', { services: [], maintenanceWindows: [window] });
      const other = { services: [], maintenanceWindows: [{ ...window, start: '23:00' }] };
      const error = await refusal('Conflict', apply(world, 'two', other));
      expect(fieldsOf(error)).toEqual(['.spec.maintenanceWindows']);
      const forced = await apply(world, 'two', other, true);
      expect(forced['spec']).toMatchObject({ maintenanceWindows: [{ start: '23:00' }] });
    },
    'values without a schema are owned key by key': async world => {
      const values = (of: object) => ({ services: [{ ...keystone, values: of }] });
      await apply(world, 'one', values({ replicas: 3, deep: { a: 1 } }));
      const both = await apply(world, 'two', values({ deep: { b: 2 } }));
      expect(both['spec']).toMatchObject(values({ replicas: 3, deep: { a: 1, b: 2 } }));
      const less = await apply(world, 'one', values({ deep: { a: 1 } }));
      const { services } = less['spec'] as { services: readonly { values: unknown }[] };
      expect(services[0]?.values).toEqual({ deep: { a: 1, b: 2 } });
    },
    'defaults belong to nobody, so anyone may set the field': async world => {
      await apply(world, 'one', { services: [keystone] });
      const set = await apply(world, 'two', { maxParallel: 9, services: [keystone] });
      expect(set['spec']).toMatchObject({ maxParallel: 9 });
      const back = await apply(world, 'two', { services: [keystone] });
      expect(back['spec']).toMatchObject({ maxParallel: 4 });
    },
    'an apply keeps the order of what is there and adds what is new': async world => {
      await apply(world, 'one', { services: [keystone, glance] });
      const more = await apply(world, 'two', { services: [nova, glance] });
      expect(servicesOf(more)).toEqual(['keystone 27.0.0', 'nova 31.0.0', 'glance 30.0.0']);
    },
    'the same item twice is refused': async world => {
      await refusal('InternalError', apply(world, 'one', { services: [keystone, keystone] }));
    },
    'a changed spec is a new generation, a new owner is none': async world => {
      await apply(world, 'one', { services: [keystone] });
      const shared = await apply(world, 'two', { services: [keystone] });
      expect(shared.metadata.generation).toBe(1);
      const more = await apply(world, 'two', { services: [keystone, glance] });
      expect(more.metadata.generation).toBe(2);
    },
  },
};
