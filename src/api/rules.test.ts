import { describe, expect, test } from 'vitest';
import { kinds } from './kinds.ts';
import { packageLifecycle } from './package-lifecycle.ts';
import { ruleCases } from './rule-cases.contract.ts';
import { applyDefaults } from './schema/defaults.ts';
import type { Problem } from './schema/problem.ts';
import { holds, type Rule, type StructuralSchema } from './schema/structural-schema.ts';
import { validate } from './schema/validate.ts';

const schemas = new Map<string, StructuralSchema>([
  ...kinds.map(kind => [kind.kind, kind.spec.json] as const),
  ['lifecycle.yaml', packageLifecycle.json],
]);

function rulesIn(schema: StructuralSchema): Rule[] {
  const below = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(schema.additionalProperties ? [schema.additionalProperties] : []),
  ];
  return [...(schema['x-kubernetes-validations'] ?? []), ...below.flatMap(rulesIn)];
}

const rules = [...schemas].flatMap(([of, schema]) => rulesIn(schema).map(rule => ({ of, ...rule })));

describe('every rule', () => {
  test('there are some, and none in a status', () => {
    expect(rules.length).toBeGreaterThan(0);
    expect(kinds.flatMap(kind => rulesIn(kind.status.json))).toEqual([]);
  });

  test.each(rules)('of $of, $rule, has a predicate and cases for both answers', ({ of, rule, ...rest }) => {
    expect(rest[holds]).toBeTypeOf('function');
    const answers = ruleCases.filter(one => one.of === of && one.rule === rule).map(one => one.holds);
    expect(new Set(answers)).toEqual(new Set([true, false]));
  });

  test('and every case is about a rule that is there', () => {
    const known = new Set(rules.map(({ of, rule }) => `${of} ${rule}`));
    expect(ruleCases.filter(one => !known.has(`${one.of} ${one.rule}`))).toEqual([]);
  });
});

describe('the predicate', () => {
  test.each(ruleCases)('$of: $says: $rule is $holds', one => {
    const schema = schemas.get(one.of) ?? {};
    const message = rules.find(rule => rule.of === one.of && rule.rule === one.rule)?.message;
    const problems = validate(
      schema,
      applyDefaults(schema, one.value),
      one.old && applyDefaults(schema, one.old),
    );
    expect(problems.filter(isNotRule)).toEqual([]);
    expect(problems.some(problem => problem.message === message)).toBe(!one.holds);
  });

  test.each(ruleCases.filter(one => one.holds))('$of: $says: breaks no other rule', one => {
    const schema = schemas.get(one.of) ?? {};
    expect(
      validate(schema, applyDefaults(schema, one.value), one.old && applyDefaults(schema, one.old)),
    ).toEqual([]);
  });
});

function isNotRule(problem: Problem): boolean {
  return problem.code !== 'RuleBroken';
}
