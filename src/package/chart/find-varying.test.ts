import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import type { ChartObject } from './chart-object.ts';
import { findVarying, randomMark } from './find-varying.ts';

const one = (object: JsonObject, file = 'templates/a.yaml'): ChartObject => ({
  ...{ object, file, line: 1, hooks: [], weight: 0, deletePolicies: [] },
});
const secret = (data: JsonObject, name = 'keys') =>
  one({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, data });
const encode = (text: string) => Buffer.from(text).toString('base64');
const compare = (a: readonly ChartObject[], b: readonly ChartObject[]) => findVarying(a, b, 'c');

describe('two renders of one chart', () => {
  test('that are the same vary in nothing', () => {
    const objects = [secret({ a: encode('x') })];
    expect(compare(objects, objects)).toEqual({ objects, notes: [], findings: [] });
  });

  test('that differ in a word of an encoded text keep all the other words', () => {
    const text = (key: string, port: number) => encode(`[cache]\nkey = ${key}\nport = ${port}\n`);
    const { objects, notes, findings } = compare(
      [secret({ etc: text('k3hq', 80) })],
      [secret({ etc: text('Zz91', 80) })],
    );
    expect(findings).toEqual([]);
    expect(notes).toMatchObject([{ code: 'ChartVaries', file: 'c/templates/a.yaml', field: 'data.etc' }]);
    expect(objects[0]?.object['data']).toEqual({ etc: text(randomMark, 80) });
  });

  test('give the same objects whatever was made at random', () => {
    const make = (key: string) => [secret({ etc: encode(`key=${key};mode=1`) })];
    const first = compare(make('abc'), make('def')).objects;
    expect(compare(make('ghi'), make('jkl')).objects).toEqual(first);
  });

  test('may differ in the name of a task, which is run under a name of ours', () => {
    const pod = (name: string) => one({ apiVersion: 'v1', kind: 'Pod', metadata: { name } });
    const { objects, findings } = compare([pod('test-ab')], [pod('test-cd')]);
    expect(findings).toEqual([]);
    expect(objects[0]?.object['metadata']).toEqual({ name: `test-${randomMark}` });
  });

  test.each([
    ['the name of what stays', [secret({}, 'a')], [secret({}, 'b')], 'metadata.name'],
    ['which fields there are', [secret({ a: 'x' })], [secret({ b: 'x' })], 'data'],
    ['which objects there are', [secret({}), secret({}, 'b')], [secret({})], undefined],
  ])('may not differ in %s', (_, a, b, field) => {
    const { findings } = compare(a, b);
    expect(findings[0]).toMatchObject({ code: 'ChartVaries', file: 'c/templates/a.yaml' });
    expect(findings[0]?.field).toBe(field);
  });
});
