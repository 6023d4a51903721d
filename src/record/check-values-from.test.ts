import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { FieldPath } from '../api/schema/problem.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { checkValuesFrom, parseTargetPath } from './check-values-from.ts';
import { draftOf } from './draft.ts';
import { parseYaml } from './parse-yaml.ts';

function check(valuesFrom: Json, values: Json = {}): string[] {
  const object: JsonObject = { spec: { services: [{ name: 'keystone', values, valuesFrom }] } };
  const [manifest] = parseYaml('a.yaml', stringify(object)).manifests;
  if (!manifest) throw new Error('the test has no manifest');
  const base = 'spec.services[0].valuesFrom';
  return checkValuesFrom(draftOf(manifest, manifest.object['spec'])).map(
    ({ code, field = '' }) => `${code} ${field.replace(base, '')}`,
  );
}

describe('checkValuesFrom', () => {
  const entry = (targetPath?: string, valuesKey: string | undefined = 'key'): JsonObject => ({
    kind: 'Secret',
    name: 'a',
    ...(valuesKey === undefined ? {} : { valuesKey }),
    ...(targetPath === undefined ? {} : { targetPath }),
  });
  const keyless = { kind: 'Secret', name: 'a', targetPath: 'a.b' };
  const rows: { name: string; valuesFrom: Json; values?: Json; want?: string[] }[] = [
    { name: 'a map of values needs no path', valuesFrom: [{ kind: 'ConfigMap', name: 'a' }] },
    { name: 'a key may hold a map of values', valuesFrom: [entry()] },
    { name: 'paths that differ', valuesFrom: [entry('a.b'), entry('a.c')], values: { a: { d: 1 } } },
    { name: 'a path needs a key', valuesFrom: [keyless], want: ['RuleBroken [0].targetPath'] },
    { name: 'a path that is none', valuesFrom: [entry('a..b')], want: ['FieldInvalid [0].targetPath'] },
    {
      name: 'two entries for one path, however it is spelt',
      valuesFrom: [entry('a.b'), entry('c'), entry('a["b"]')],
      want: ['FieldDuplicate [2].targetPath'],
    },
    {
      name: 'a path that the values set too',
      valuesFrom: [entry('a.b')],
      values: { a: { b: false } },
      want: ['RuleBroken [0].targetPath'],
    },
    {
      name: 'a path to a map that is there',
      valuesFrom: [entry('a')],
      values: { a: { b: 1 } },
      want: ['RuleBroken [0].targetPath'],
    },
    {
      name: 'a path through a single value',
      valuesFrom: [entry('a.b')],
      values: { a: 1 },
      want: ['RuleBroken [0].targetPath'],
    },
    {
      name: 'a path through a list by name',
      valuesFrom: [entry('a.b')],
      values: { a: [1] },
      want: ['RuleBroken [0].targetPath'],
    },
    {
      name: 'a path into a list',
      valuesFrom: [entry('a[1].b'), entry('a[0].b')],
      values: { a: [{ b: 1 }] },
      want: ['RuleBroken [1].targetPath'],
    },
    {
      name: 'a value that is taken away leaves room',
      valuesFrom: [entry('a.b')],
      values: { a: { b: null } },
    },
    { name: 'names that every object has', valuesFrom: [entry('constructor.name')], values: {} },
    { name: 'entries of the wrong type', valuesFrom: ['a', { targetPath: 7 }, null] },
    { name: 'no list at all', valuesFrom: 'a' },
  ];
  it.each(rows)('$name', ({ valuesFrom, values, want = [] }) =>
    expect(check(valuesFrom, values)).toEqual(want),
  );
});

describe('parseTargetPath', () => {
  const rows: { text: string; want: FieldPath | undefined }[] = [
    { text: 'a', want: ['a'] },
    { text: 'database.password', want: ['database', 'password'] },
    { text: 'users[0].password', want: ['users', 0, 'password'] },
    { text: 'a[0][1]', want: ['a', 0, 1] },
    { text: 'files["tls.pem"].x', want: ['files', 'tls.pem', 'x'] },
    { text: '["a b"]', want: ['a b'] },
    { text: '', want: undefined },
    { text: '.', want: undefined },
    { text: 'a.', want: undefined },
    { text: '.a', want: undefined },
    { text: 'a..b', want: undefined },
    { text: 'a[b]', want: undefined },
    { text: 'a[0', want: undefined },
    { text: '[0].a', want: undefined },
    { text: 'a["\\x"]', want: undefined },
    { text: 'a b', want: undefined },
  ];
  it.each(rows)('reads $text as $want', ({ text, want }) => expect(parseTargetPath(text)).toEqual(want));
});
