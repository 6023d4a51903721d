import { expect } from 'vitest';
import { apiVersion } from '../../api/group.ts';
import { findKind } from '../../api/kinds.ts';
import { type RuleCase, ruleCases } from '../../api/rule-cases.contract.ts';
import { type CaseWorld, fieldsOf, refOf, refusal } from './case-world.contract.ts';
import { leastSpec } from './least-spec.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

/** Where an API server finds a rule broken, by how the text of the rule begins. */
const fieldOfRule: readonly (readonly [string, string])[] = [
  ['!(self.name in self.dependsOn)', 'spec.services[0].dependsOn'],
  ['self.removed.all(', 'spec.removed'],
  ['has(self.tiers)', 'spec.stages[0]'],
  ["(self.type == 'git') ==", 'spec.source.commit'],
  ["self.type == 'git' ||", 'spec.source.path'],
  ['self.digest == oldSelf.digest', 'spec.digest'],
  ['!has(self.approval)', 'spec.approval.digest'],
  ['self == oldSelf', 'spec'],
];

async function check(world: CaseWorld, { of, value, old, holds, rule }: RuleCase): Promise<void> {
  const object = (spec: object) => world.object({ apiVersion, kind: of }, 'one', { spec });
  const before = old && (await world.create(object(old)));
  const asked = before ? world.cluster.update({ ...before, spec: value }) : world.create(object(value));
  const [, field] = fieldOfRule.find(([start]) => rule.startsWith(start)) ?? [];
  expect(field, `no field is known for ${rule}`).toBeDefined();
  if (holds) {
    const written = await asked;
    expect(written['spec']).toMatchObject(value);
  } else {
    expect(fieldsOf(await refusal('Invalid', asked))).toEqual([field]);
  }
}

export const ruleCasesOfKinds: ContractTopic = {
  topic: 'rules of our kinds that span fields',
  cases: {
    ...Object.fromEntries(
      ruleCases
        .filter(one => findKind(one.of) !== undefined)
        .map(one => [
          `${one.of}: ${one.says}: ${one.holds ? 'taken' : 'refused'}`,
          (world: CaseWorld) => check(world, one),
        ]),
    ),
    'a patch is held to the rules of updates': async world => {
      const made = await world.create(
        world.object({ apiVersion, kind: 'ServiceRevision' }, 'one', { spec: leastSpec('ServiceRevision') }),
      );
      const value = { spec: { version: '99.0.0' } };
      const error = await refusal('Invalid', world.cluster.patch(refOf(made), { type: 'merge', value }));
      expect(fieldsOf(error)).toEqual(['spec']);
    },
    'an apply is held to the rules of updates': async world => {
      const type = { apiVersion, kind: 'LifecyclePlan' };
      const made = await world.create(world.object(type, 'one', { spec: leastSpec('LifecyclePlan') }));
      const digest = `sha256:${'9'.repeat(64)}`;
      const value = world.object(type, 'one', { spec: { ...leastSpec('LifecyclePlan'), digest } });
      const patch = { type: 'apply', value, fieldManager: 'one', force: true } as const;
      const error = await refusal('Invalid', world.cluster.patch(refOf(made), patch));
      expect(fieldsOf(error)).toEqual(['spec.digest']);
    },
    'the status and labels of an immutable revision can change': async world => {
      const type = { apiVersion, kind: 'ServiceRevision' };
      const made = await world.create(world.object(type, 'one', { spec: leastSpec('ServiceRevision') }));
      const value = { metadata: { labels: { color: 'red' } } };
      const patched = await world.cluster.patch(refOf(made), { type: 'merge', value });
      const ready = await world.cluster.updateStatus({ ...patched, status: { observedGeneration: 1 } });
      expect(ready).toMatchObject({
        metadata: { labels: { color: 'red' } },
        status: { observedGeneration: 1 },
      });
    },
  },
};
