import { expect } from 'vitest';
import type { ClusterObject, ObjectRef } from '../cluster.ts';
import { type CaseWorld, configMapType, fieldsOf, refOf, refusal } from './case-world.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

/** A ConfigMap with anything at all in it. */
function strange(world: CaseWorld, data: unknown): ClusterObject {
  return { ...world.configMap(), data };
}

function circle(): object {
  const value: Record<string, unknown> = {};
  value['again'] = value;
  return value;
}

/** Values that are no JSON, or none that anybody can take. */
const noJson: readonly (readonly [string, unknown])[] = [
  ['a number that is none', { a: Number.NaN }],
  ['a number without end', { a: Number.POSITIVE_INFINITY }],
  ['a number too big for JSON', { a: 1n }],
  ['a function', { a: () => 1 }],
  ['a map of the language', new Map([['a', '1']])],
  ['a value that holds itself', circle()],
];

const oddNames = ['.', '..', 'a/b', 'a%2fb', '../../secrets/x'];

export const badRequestCases: ContractTopic = {
  topic: 'requests that make no sense',
  cases: {
    ...Object.fromEntries(
      noJson.map(([what, data]) => [
        `${what} is refused`,
        async (world: CaseWorld) => {
          await refusal('BadRequest', world.cluster.create(strange(world, data)));
          const made = await world.create(world.configMap());
          const value = { data } as never;
          await refusal('BadRequest', world.cluster.update({ ...made, data }));
          await refusal('BadRequest', world.cluster.patch(refOf(made), { type: 'merge', value }));
          expect(await world.now(made)).toEqual(made);
        },
      ]),
    ),
    'what JSON makes of a date is kept': async world => {
      const made = await world.create(strange(world, { a: new Date(0), b: undefined }));
      expect(made['data']).toEqual({ a: '1970-01-01T00:00:00.000Z' });
    },
    'what is no object is refused': async world => {
      for (const nothing of [null, undefined, 'text', [], {}, { kind: 'ConfigMap' }]) {
        await refusal('BadRequest', world.cluster.create(nothing as never));
        await refusal('BadRequest', world.cluster.update(nothing as never));
        await refusal('BadRequest', world.cluster.get(nothing as never));
        await refusal('BadRequest', world.cluster.delete(nothing as never));
        await refusal('BadRequest', world.cluster.list(nothing as never));
      }
    },
    'a name that would lead to another path is refused': async world => {
      for (const name of oddNames) {
        const ref: ObjectRef = { ...configMapType, namespace: world.namespace, name };
        await refusal('BadRequest', world.cluster.get(ref));
        await refusal('BadRequest', world.cluster.delete(ref));
        await refusal('BadRequest', world.cluster.patch(ref, { type: 'merge', value: {} }));
        await refusal('BadRequest', world.cluster.update(world.configMap('one', {}, { name })));
        await refusal('BadRequest', world.cluster.get({ ...ref, name: 'x', namespace: name }));
        await refusal('BadRequest', world.cluster.list(configMapType, { namespace: name }));
      }
    },
    'an empty namespace is all of them': async world => {
      const made = await world.create(world.configMap());
      const { items } = await world.cluster.list(configMapType, { ...world.mine, namespace: '' });
      expect(items.map(item => item.metadata.uid)).toContain(made.metadata.uid);
    },
    'an owner is read as what it is': async world => {
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'x' };
      const owned = (one: object) => world.configMap('one', {}, { ownerReferences: [one as never] });
      await refusal('BadRequest', world.create(owned({ ...owner, uid: 5 })));
      await refusal('BadRequest', world.create(owned({ ...owner, controller: 'yes' })));
      const strict = { fieldValidation: 'Strict' } as const;
      await refusal('BadRequest', world.cluster.create(owned({ ...owner, junk: 1 }), strict));
      const event = await refusal('Invalid', world.create(owned({ ...owner, kind: 'Event' })));
      expect(fieldsOf(event)).toEqual(['metadata.ownerReferences']);
      const kept = await world.create(owned({ ...owner, junk: 1 }));
      expect(kept.metadata.ownerReferences).toEqual([owner]);
    },
    'a finalizer of a built-in kind says whose it is': async world => {
      const error = await refusal(
        'Invalid',
        world.create(world.configMap('one', {}, { finalizers: ['bad'] })),
      );
      expect(fieldsOf(error)).toEqual(['metadata.finalizers[0]']);
    },
    'times and counters in metadata are what they seem, and are not taken over': async world => {
      const given = (metadata: object) => world.configMap('one', {}, metadata);
      await refusal('BadRequest', world.create(given({ creationTimestamp: 'yesterday' })));
      await refusal('BadRequest', world.create(given({ generation: 1.5 })));
      const metadata = { creationTimestamp: '2001-01-01T00:00:00Z', generation: 7 };
      const made = await world.create(world.record('one', undefined, metadata));
      expect(made.metadata.creationTimestamp).not.toBe('2001-01-01T00:00:00Z');
      expect(made.metadata.generation).toBe(1);
    },
    'annotations have their size in bytes': async world => {
      const annotations = { a: '漢'.repeat(100_000) };
      const error = await refusal('Invalid', world.create(world.configMap('one', {}, { annotations })));
      expect(fieldsOf(error)).toEqual(['metadata.annotations']);
    },
    'version 0 is whatever is there, and a version that is no number is none': async world => {
      const made = await world.create(world.configMap());
      const changed = { ...made, data: { a: '2' } };
      const updated = await world.cluster.update({
        ...changed,
        metadata: { ...made.metadata, resourceVersion: '0' },
      });
      expect(updated['data']).toEqual({ a: '2' });
      const junk = { ...made.metadata, resourceVersion: 'abc' };
      await refusal('InternalError', world.cluster.update({ ...made, metadata: junk }));
      const record = await world.create(world.record());
      const blind = { ...record.metadata, resourceVersion: '0' };
      const error = await refusal('Invalid', world.cluster.update({ ...record, metadata: blind }));
      expect(fieldsOf(error)).toEqual(['metadata.resourceVersion']);
    },
  },
};
