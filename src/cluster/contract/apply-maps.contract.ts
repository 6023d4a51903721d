import { expect } from 'vitest';
import type { ClusterObject, ObjectType, StoredObject } from '../cluster.ts';
import { isReason } from '../cluster-error.ts';
import { type CaseWorld, eventually, fieldsOf, refOf, refusal } from './case-world.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

const serviceType: ObjectType = { apiVersion: 'v1', kind: 'Service' };
const group = 'contract.afloat.dev';
const crateType: ObjectType = { apiVersion: `${group}/v1`, kind: 'Crate' };
const texts = { type: 'object', additionalProperties: { type: 'string' } };

/** A kind of somebody else, with one map of each sort. */
const crateDefinition: ClusterObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `crates.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'crates', singular: 'crate', kind: 'Crate', listKind: 'CrateList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              whole: { ...texts, 'x-kubernetes-map-type': 'atomic' },
              byKey: { ...texts, 'x-kubernetes-map-type': 'granular' },
              fixed: {
                type: 'object',
                'x-kubernetes-map-type': 'atomic',
                properties: { a: { type: 'string' }, b: { type: 'string' } },
              },
            },
          },
        },
      },
    ],
  },
};

function apply(
  world: CaseWorld,
  type: ObjectType,
  [fieldManager, content, force = false]: readonly [string, object, boolean?],
): Promise<StoredObject> {
  const value = { ...type, metadata: { name: world.name(), namespace: world.namespace }, ...content };
  return world.cluster.patch(refOf(value), { type: 'apply', value, fieldManager, force });
}

/** With the kind there; a server serves it a moment after its definition. */
async function withCrates(world: CaseWorld, check: () => Promise<void>): Promise<void> {
  const definition = await world.create(crateDefinition);
  try {
    await eventually('crates are served', () =>
      world.cluster.list(crateType).then(
        () => true,
        error => {
          if (isReason(error, 'NotFound')) return false;
          throw error;
        },
      ),
    );
    await check();
  } finally {
    await world.cluster.delete(refOf(definition));
    await world.gone(definition);
  }
}

export const applyMapCases: ContractTopic = {
  topic: 'server-side apply of maps',
  cases: {
    'a map of a built-in kind that is one value belongs to one manager': async world => {
      const service = (selector: object) => ({ spec: { ports: [{ port: 80 }], selector } });
      await apply(world, serviceType, ['one', service({ a: '1' })]);
      const error = await refusal('Conflict', apply(world, serviceType, ['two', service({ b: '2' })]));
      expect(fieldsOf(error)).toEqual(['.spec.selector']);
      const forced = await apply(world, serviceType, ['two', service({ b: '2' }), true]);
      expect(forced['spec']).toMatchObject({ selector: { b: '2' } });
      expect(forced['spec']).not.toHaveProperty('selector.a');
    },
    'a map of a foreign kind that is one value belongs to one manager': world =>
      withCrates(world, async () => {
        for (const field of ['whole', 'fixed']) {
          await apply(world, crateType, [`${field}-one`, { [field]: { a: '1' } }]);
          const asked = apply(world, crateType, [`${field}-two`, { [field]: { b: '2' } }]);
          expect(fieldsOf(await refusal('Conflict', asked))).toEqual([`.${field}`]);
          const forced = await apply(world, crateType, [`${field}-two`, { [field]: { b: '2' } }, true]);
          expect(forced[field]).toEqual({ b: '2' });
        }
      }),
    'the same value of such a map is shared': world =>
      withCrates(world, async () => {
        await apply(world, crateType, ['one', { whole: { a: '1' } }]);
        await apply(world, crateType, ['two', { whole: { a: '1' } }]);
        expect((await apply(world, crateType, ['one', {}]))['whole']).toEqual({ a: '1' });
        expect((await apply(world, crateType, ['two', {}]))['whole']).toBeUndefined();
      }),
    'a map of a foreign kind that is owned by key has many managers': world =>
      withCrates(world, async () => {
        await apply(world, crateType, ['one', { byKey: { a: '1' } }]);
        const both = await apply(world, crateType, ['two', { byKey: { b: '2' } }]);
        expect(both['byKey']).toEqual({ a: '1', b: '2' });
      }),
  },
};
