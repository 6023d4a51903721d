import { expect } from 'vitest';
import type { ClusterObject, ObjectType, StoredObject } from '../cluster.ts';
import { isReason } from '../cluster-error.ts';
import {
  type CaseWorld,
  eventually,
  fieldsOf,
  namespaceType,
  refOf,
  refusal,
} from './case-world.contract.ts';
import { crdType } from './foreign-kind.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

interface Version {
  readonly name: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly schema?: object;
}

/** A definition of a kind that only this case has; `more` is laid over its spec. */
function definition(world: CaseWorld, versions: readonly Version[], more: object = {}): ClusterObject {
  const group = `${world.namespace}.afloat.dev`;
  const plural = `${world.id.replace('-', '')}s`;
  return {
    ...crdType,
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind: kindOf(world) },
      versions: versions.map(({ name, served = true, storage = true, schema }) => ({
        name,
        served,
        storage,
        schema: {
          openAPIV3Schema: schema ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      })),
      ...more,
    },
  };
}

function kindOf(world: CaseWorld): string {
  return `Case${world.id.replace('case-', '')}`;
}

function typeOf(world: CaseWorld, version = 'v1'): ObjectType {
  return { apiVersion: `${world.namespace}.afloat.dev/${version}`, kind: kindOf(world) };
}

/** A definition with these fields in its objects, once it is served. */
async function define(world: CaseWorld, properties: object, more: object = {}): Promise<StoredObject> {
  const schema = { type: 'object', properties, ...more };
  const made = await world.create(definition(world, [{ name: 'v1', schema }]));
  await served(world, typeOf(world));
  return made;
}

/** A server serves a kind a moment after its definition. */
async function served(world: CaseWorld, type: ObjectType, isServed = true): Promise<void> {
  await eventually('the kind is served, or not', () =>
    world.cluster.list(type).then(
      () => isServed,
      error => {
        if (!isReason(error, 'NotFound')) throw error;
        return !isServed;
      },
    ),
  );
}

function make(world: CaseWorld, suffix: string, content: object): Promise<StoredObject> {
  return world.create(world.object(typeOf(world), suffix, content));
}

/** What is wrong with a definition of one version with this schema of its field `a`. */
async function refusedFor(world: CaseWorld, field: object): Promise<string[]> {
  const schema = { type: 'object', properties: { a: field } };
  return fieldsOf(await refusal('Invalid', world.create(definition(world, [{ name: 'v1', schema }]))));
}

const at = 'spec.validation.openAPIV3Schema.properties[a]';

export const definitionCases: ContractTopic = {
  topic: 'definitions of others',
  cases: {
    'a pattern is one of Go': async world => {
      await define(world, {
        a: { type: 'string', pattern: '(?i)^A[b-d]$' },
        b: { type: 'string', pattern: '^a\\-b[[:digit:]]$' },
      });
      await make(world, 'right', { a: 'aC', b: 'a-b1' });
      const error = await refusal('Invalid', make(world, 'wrong', { a: 'ae', b: 'a-bx' }));
      expect(fieldsOf(error)).toEqual(['a', 'b']);
    },
    'a pattern that is none is refused in the definition': async world => {
      expect(await refusedFor(world, { type: 'string', pattern: '(' })).toEqual([`${at}.pattern`]);
      expect(await refusedFor(world, { type: 'string', pattern: 'a(?=b)' })).toEqual([`${at}.pattern`]);
    },
    'a type that is none, and a default that does not fit, are refused in the definition': async world => {
      expect(await refusedFor(world, { type: 'junk' })).toEqual([`${at}.type`]);
      expect(await refusedFor(world, { type: 'string', default: 3 })).toEqual([`${at}.default`]);
      expect(await refusedFor(world, {})).toEqual([`${at}.type`]);
    },
    'a definition has a scope and one version that is stored': async world => {
      const none = definition(world, [{ name: 'v1', storage: false }]);
      expect(fieldsOf(await refusal('Invalid', world.create(none)))).toEqual([
        'spec.versions',
        'status.storedVersions',
      ]);
      const scope = definition(world, [{ name: 'v1' }], { scope: 'Junk' });
      expect(fieldsOf(await refusal('Invalid', world.create(scope)))).toEqual(['spec.scope']);
      const versions = [{ name: 'v1', served: true, storage: true }];
      const bare = definition(world, [], { versions });
      expect(fieldsOf(await refusal('Invalid', world.create(bare)))).toEqual([
        'spec.versions[0].schema.openAPIV3Schema',
      ]);
    },
    'scope and kind of a definition stay, and versions that may be stored': async world => {
      const made = await define(world, {});
      const change = (spec: object) =>
        world.cluster.patch(refOf(made), { type: 'merge', value: { spec } as never });
      expect(fieldsOf(await refusal('Invalid', change({ scope: 'Cluster' })))).toEqual(['spec.scope']);
      expect(fieldsOf(await refusal('Invalid', change({ names: { kind: 'Other' } })))).toEqual([
        'spec.names.kind',
      ]);
      const versions = [
        { name: 'v2', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
      ];
      expect(fieldsOf(await refusal('Invalid', change({ versions })))).toEqual(['status.storedVersions[0]']);
    },
    'null is kept where it is allowed': async world => {
      const text = { type: 'string', nullable: true };
      await define(world, { top: text, spec: { type: 'object', properties: { below: text } } });
      const made = await make(world, 'one', { top: null, spec: { below: null } });
      expect(made).toMatchObject({ top: null, spec: { below: null } });
    },
    'numbers are held to what the schema says of them': async world => {
      await define(world, {
        a: { type: 'integer', multipleOf: 2 },
        b: { type: 'integer', minimum: 1, exclusiveMinimum: true },
        c: { type: 'integer', maximum: 9, exclusiveMaximum: true },
        d: { type: 'number', enum: [1, 2] },
      });
      await make(world, 'right', { a: 4, b: 2, c: 8, d: 2 });
      const error = await refusal('Invalid', make(world, 'wrong', { a: 3, b: 1, c: 9, d: 3 }));
      expect(fieldsOf(error)).toEqual(['a', 'b', 'c', 'd']);
    },
    'a map has as many entries as the schema says': async world => {
      const a = { type: 'object', minProperties: 1, additionalProperties: { type: 'string' } };
      await define(world, { a });
      await make(world, 'right', { a: { x: 'y' } });
      expect(fieldsOf(await refusal('Invalid', make(world, 'wrong', { a: {} })))).toEqual(['a']);
    },
    'formats are looked at': async world => {
      await define(world, {
        a: { type: 'string', format: 'ipv4' },
        b: { type: 'string', format: 'date-time' },
        c: { type: 'string', format: 'nobody knows' },
      });
      await make(world, 'right', { a: '10.0.0.1', b: '2026-01-31T22:00:00Z', c: 'x' });
      expect(fieldsOf(await refusal('Invalid', make(world, 'wrong', { a: '10.0.0', b: 'soon' })))).toEqual([
        'a',
        'b',
      ]);
    },
    'unions of schemas are looked at': async world => {
      const both = { a: { type: 'string' }, b: { type: 'string' } };
      await define(world, {
        one: { type: 'object', properties: both, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
        any: { type: 'object', properties: both, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
        all: { type: 'string', allOf: [{ minLength: 2 }, { maxLength: 3 }] },
        not: { type: 'string', not: { enum: ['x'] } },
      });
      await make(world, 'right', { one: { a: '' }, any: { a: '', b: '' }, all: 'abc', not: 'y' });
      await refusal('Invalid', make(world, 'one', { one: { a: '', b: '' } }));
      await refusal('Invalid', make(world, 'any', { any: {} }));
      await refusal('Invalid', make(world, 'all', { all: 'a' }));
      await refusal('Invalid', make(world, 'not', { not: 'x' }));
    },
    'a field may have any name': async world => {
      await define(world, { toString: { type: 'string' } }, { required: ['toString'] });
      await make(world, 'right', { toString: 'x' });
      expect(fieldsOf(await refusal('Invalid', make(world, 'wrong', {})))).toEqual(['toString']);
    },
    'objects of a version that is not served any more go with their namespace and their definition':
      async world => {
        const old = [{ name: 'v1' }];
        const made = await world.create(definition(world, old));
        await served(world, typeOf(world));
        const inside = await world.create({
          ...namespaceType,
          metadata: { name: `${world.namespace}-versions` },
        });
        const namespace = inside.metadata.name;
        const [here, there] = [
          await make(world, 'here', {}),
          await world.create(world.object(typeOf(world), 'there', {}, { namespace })),
        ];
        const { spec } = definition(world, [{ name: 'v1', served: false, storage: false }, { name: 'v2' }]);
        const { versions } = spec as { versions: unknown };
        const value = { spec: { versions } } as never;
        await world.cluster.patch(refOf(made), { type: 'merge', value });
        await served(world, typeOf(world, 'v2'));
        await served(world, typeOf(world), false);
        expect(await world.now({ ...here, ...typeOf(world, 'v2') })).toMatchObject(typeOf(world, 'v2'));
        await world.cluster.delete(refOf(inside));
        await world.gone({ ...there, ...typeOf(world, 'v2') });
        await world.gone(inside);
        await world.cluster.delete(refOf(made));
        await world.gone(made);
      },
    'a watch ends with the definition of its kind': async world => {
      const made = await define(world, {});
      const one = await make(world, 'one', {});
      const watch = world.watch(typeOf(world), one.metadata.resourceVersion);
      await world.cluster.delete(refOf(made));
      await world.gone(made);
      await watch.ended;
      expect(watch.steps).toEqual(['DELETED one']);
    },
  },
};
