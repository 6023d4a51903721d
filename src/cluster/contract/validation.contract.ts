import { expect } from 'vitest';
import { apiVersion } from '../../api/group.ts';
import { kinds } from '../../api/kinds.ts';
import { phaseKinds } from '../../api/phase-kinds.ts';
import { type CaseWorld, fieldsOf, glance, keystone, refusal } from './case-world.contract.ts';
import { leastSpec } from './least-spec.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

/** Records that are wrong, and every field an API server names in them. */
const badRecords: readonly {
  readonly says: string;
  readonly spec: object;
  readonly fields: readonly string[];
}[] = [
  { says: 'without services', spec: {}, fields: ['spec.services'] },
  { says: 'with services that are no list', spec: { services: 'all' }, fields: ['spec.services'] },
  {
    says: 'with a service without name and version',
    spec: { services: [{}] },
    fields: ['spec.services[0].name', 'spec.services[0].version'],
  },
  {
    says: 'with the same service twice',
    spec: { services: [keystone, glance, keystone] },
    fields: ['spec.services[2]'],
  },
  {
    says: 'with a name that is none',
    spec: { services: [{ ...keystone, name: 'Key_stone' }] },
    fields: ['spec.services[0].name'],
  },
  {
    says: 'with an empty version',
    spec: { services: [{ ...keystone, version: '' }] },
    fields: ['spec.services[0].version'],
  },
  {
    says: 'with a number as a version',
    spec: { services: [{ ...keystone, version: 27 }] },
    fields: ['spec.services[0].version'],
  },
  {
    says: 'with a word nobody knows',
    spec: { services: [], approval: 'sometimes' },
    fields: ['spec.approval'],
  },
  {
    says: 'with a number that is too small',
    spec: { services: [], maxParallel: 0 },
    fields: ['spec.maxParallel'],
  },
  {
    says: 'with a number that is too great',
    spec: { services: [], soakSeconds: 2592001 },
    fields: ['spec.soakSeconds'],
  },
  {
    says: 'with a number that is not whole',
    spec: { services: [], maxParallel: 1.5 },
    fields: ['spec.maxParallel'],
  },
  {
    says: 'with text as a number',
    spec: { services: [], maxParallel: '4' },
    fields: ['spec.maxParallel'],
  },
  {
    says: 'with a name that is too long',
    spec: { services: [{ ...keystone, name: 'a'.repeat(64) }] },
    fields: ['spec.services[0].name'],
  },
  {
    says: 'with a digest that is none',
    spec: { services: [{ ...keystone, digest: 'sha256:abc' }] },
    fields: ['spec.services[0].digest'],
  },
  {
    says: 'with the same value of a set twice',
    spec: { services: [{ ...keystone, dependsOn: ['glance', 'glance'] }] },
    fields: ['spec.services[0].dependsOn[1]'],
  },
  {
    says: 'with a window without days',
    spec: { services: [], maintenanceWindows: [{ days: [], start: '22:00', durationMinutes: 5 }] },
    fields: ['spec.maintenanceWindows[0].days'],
  },
  {
    says: 'with a window at no time',
    spec: { services: [], maintenanceWindows: [{ days: ['mon'], start: '25:00', durationMinutes: 5 }] },
    fields: ['spec.maintenanceWindows[0].start'],
  },
  {
    says: 'with values that are no map',
    spec: { services: [{ ...keystone, values: ['a'] }] },
    fields: ['spec.services[0].values'],
  },
  {
    says: 'with too many windows',
    spec: {
      services: [],
      maintenanceWindows: Array.from({ length: 33 }, () => ({
        days: ['mon'],
        start: '22:00',
        durationMinutes: 5,
      })),
    },
    fields: ['spec.maintenanceWindows'],
  },
  {
    says: 'with a source of an unknown type',
    spec: { services: [], source: { type: 'svn', location: 'x' } },
    fields: ['spec.source.type'],
  },
  {
    says: 'with much that is wrong, deep down',
    spec: {
      services: [
        keystone,
        {
          name: 'nova',
          version: '31.0.0',
          components: [{ name: 'compute', hostGroups: [{ version: '1' }] }],
        },
        { name: 'glance', version: '30.0.0', valuesFrom: [{ kind: 'Pod', name: 'x' }] },
      ],
      revisionHistoryLimit: 0,
    },
    fields: [
      'spec.revisionHistoryLimit',
      'spec.services[1].components[0].hostGroups[0].name',
      'spec.services[2].valuesFrom[0].kind',
    ],
  },
  {
    says: 'with a rule broken beside a wrong field',
    spec: { services: [{ ...keystone, dependsOn: ['keystone'] }], approval: 'sometimes' },
    fields: ['spec.approval'],
  },
];

export const validationCases: ContractTopic = {
  topic: 'validation of our kinds',
  cases: {
    ...Object.fromEntries(
      kinds.map(({ kind }) => [
        `a ${kind} with the least that it takes is taken`,
        async (world: CaseWorld) => {
          const made = await world.create(
            world.object({ apiVersion, kind }, 'one', { spec: leastSpec(kind) }),
          );
          expect(made).toMatchObject({ kind, spec: leastSpec(kind) });
        },
      ]),
    ),
    ...Object.fromEntries(
      kinds.map(({ kind }) => [
        `a ${kind} without a spec is refused`,
        async (world: CaseWorld) => {
          const error = await refusal('Invalid', world.create(world.object({ apiVersion, kind }, 'one', {})));
          expect(fieldsOf(error)).toEqual(['spec']);
        },
      ]),
    ),
    ...Object.fromEntries(
      badRecords.map(({ says, spec, fields }) => [
        `a record ${says} is refused with the fields named`,
        async (world: CaseWorld) => {
          const error = await refusal('Invalid', world.create(world.record('one', spec)));
          expect(fieldsOf(error)).toEqual(fields);
        },
      ]),
    ),
    'an empty target state is taken': async world => {
      for (const { kind } of phaseKinds) {
        const spec = { ...leastSpec(kind), targetState: '' };
        const suffix = kind.toLowerCase();
        const made = await world.create(world.object({ apiVersion, kind }, suffix, { spec }));
        expect(made['spec']).toMatchObject({ targetState: '' });
      }
    },
    'null for a field with a default is the default': async world => {
      const made = await world.create(world.record('one', { services: [], maxParallel: null }));
      expect(made['spec']).toMatchObject({ maxParallel: 4 });
    },
    'a character counts as one, however it is written': async world => {
      const spec = { services: [], source: { type: 'local', location: '🐳'.repeat(4096) } };
      expect((await world.create(world.record('one', spec))).metadata.generation).toBe(1);
      const more = { services: [], source: { type: 'local', location: '🐳'.repeat(4097) } };
      const error = await refusal('Invalid', world.create(world.record('two', more)));
      expect(fieldsOf(error)).toEqual(['spec.source.location']);
    },
  },
};
