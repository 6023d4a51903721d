import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { type SubstitutionContext, substitute } from './substitute.ts';

function context(more: Partial<SubstitutionContext> = {}): SubstitutionContext {
  return {
    names: { service: 'identity', version: '1.0.0' },
    values: { replicas: 3, port: 5000, on: true, list: [1, 'two'], map: { deep: { x: 'y' } }, unset: null },
    shared: { region: 'north' },
    later: [],
    moreValuesLater: false,
    ...more,
  };
}

const replace = (text: Json, more?: Partial<SubstitutionContext>) =>
  substitute({ field: text }, context(more));

describe('substitute replaces', () => {
  it.each<{ name: string; text: string; want: Json; more?: Partial<SubstitutionContext> }>([
    { name: 'a name', text: 'example/${service}:${version}', want: 'example/identity:1.0.0' },
    { name: 'a shared value', text: 'in ${shared.region}', want: 'in north' },
    { name: 'a whole text by a number', text: '${values.replicas}', want: 3 },
    { name: 'a whole text by a flag', text: '${values.on}', want: true },
    { name: 'a whole text by a list', text: '${values.list}', want: [1, 'two'] },
    { name: 'a whole text by a map', text: '${values.map}', want: { deep: { x: 'y' } } },
    { name: 'a deep value', text: '${values.map.deep.x}', want: 'y' },
    { name: 'scalars inside a text', text: ':${values.port}/${values.on}', want: ':5000/true' },
    { name: 'an escaped mark by a literal one', text: '$${HOME}/${service}', want: '${HOME}/identity' },
    { name: 'an escaped mark after a dollar', text: '$$${x}', want: '$${x}' },
    { name: 'nothing where there is no placeholder', text: '$(POD_IP) $5 {x}', want: '$(POD_IP) $5 {x}' },
    {
      name: 'nothing that stays for later',
      text: 'a-${slice}',
      want: 'a-${slice}',
      more: { later: ['slice'] },
    },
    {
      name: 'nothing below a path that stays for later',
      text: '${values.map.deep.x}',
      want: '${values.map.deep.x}',
      more: { later: ['values.map.deep'] },
    },
    {
      name: 'nothing above a path that stays for later, or a map would lack its secret',
      text: '${values.map}',
      want: '${values.map}',
      more: { later: ['values.map.deep.x'] },
    },
    {
      name: 'a path that only begins like one that stays for later',
      text: '${values.port}',
      want: 5000,
      more: { later: ['values.po', 'values.port2'] },
    },
    {
      name: 'nothing that may still come in a whole map of values',
      text: '${values.password}',
      want: '${values.password}',
      more: { moreValuesLater: true },
    },
    {
      name: 'what is given, even where more may come',
      text: '${values.port}',
      want: 5000,
      more: { moreValuesLater: true },
    },
  ])('$name', ({ text, want, more }) => {
    expect(replace(text, more)).toEqual({ object: { field: want }, problems: [] });
  });

  it('values in lists and maps, but no keys', () => {
    const { object } = substitute({ list: [{ '${service}': '${service}' }], n: 1, no: null }, context());
    expect(object).toEqual({ list: [{ '${service}': 'identity' }], n: 1, no: null });
  });

  it.each<{ path: (value: Json) => JsonObject }>([
    { path: value => ({ metadata: { labels: { a: value } } }) },
    { path: value => ({ data: { a: value } }) },
    { path: value => ({ spec: { containers: [{ env: [{ name: 'PORT', value }] }] } }) },
    { path: value => ({ spec: { containers: [{ args: ['--port', value] }] } }) },
  ])('a number by text where Kubernetes takes only text: %j', ({ path }) => {
    expect(substitute(path('${values.port}'), context()).object).toEqual(path('5000'));
  });
});

describe('substitute finds', () => {
  it.each<{
    name: string;
    text: string;
    code?: string;
    advice?: string;
    more?: Partial<SubstitutionContext>;
  }>([
    { name: 'a name that is not known', text: '${cell}', advice: '$${' },
    { name: 'a misspelt name', text: '${servce}', advice: '${service}' },
    { name: 'a misspelt value', text: 'x ${values.replica}', advice: '${values.replicas}' },
    { name: 'a misspelt deep value', text: '${values.map.depe.x}', advice: '${values.map.deep.x}' },
    { name: 'a slice that is misspelt', text: '${slcie}', advice: '${slice}', more: { later: ['slice'] } },
    { name: 'a value that nobody gives', text: '${values.somethingElse}' },
    { name: 'a value that is there but not set', text: '${values.unset}' },
    {
      name: 'a shared value that nobody gives, though more values may come',
      text: '${shared.x1234}',
      more: { moreValuesLater: true },
    },
    { name: 'a field of a scalar', text: '${values.port.x1234567}' },
    { name: 'an item of a list', text: '${values.list.0.x1234}' },
    { name: 'what every object inherits', text: '${values.constructor.name}' },
    { name: 'all values at once', text: '${values}' },
    { name: 'shell that was not escaped', text: 'echo ${HOME:-/root}', advice: '$${' },
    { name: 'an empty placeholder', text: '${}', advice: '$${' },
    { name: 'a placeholder that is not closed', text: 'a ${service', advice: '$${' },
    { name: 'a placeholder in a placeholder', text: '${values.${service}}', advice: '$${' },
    { name: 'a list inside a text', text: 'a ${values.list}', code: 'FieldType' },
    { name: 'a map inside a text', text: '${values.map} ', code: 'FieldType' },
  ])('$name', ({ text, code = 'ValueMissing', advice, more }) => {
    const { problems } = replace(text, more);
    expect(problems).toMatchObject([{ code, path: ['field'] }]);
    if (advice !== undefined) expect(problems[0]?.advice).toContain(advice);
  });

  it('every problem, each at its place', () => {
    const { problems } = substitute({ a: ['${x1234} ${y1234}'], b: { c: '${z1234}' } }, context());
    expect(problems.map(({ path }) => path)).toEqual([
      ['a', 0],
      ['a', 0],
      ['b', 'c'],
    ]);
  });
});

describe('substitute never', () => {
  const anyText = fc.oneof(
    fc.string(),
    fc
      .array(fc.constantFrom('$', '{', '}', '${', '$${', 'values', '.', 'a', 'service', ' '), {
        maxLength: 10,
      })
      .map(parts => parts.join('')),
  );
  const { tree } = fc.letrec<{ tree: Json; map: JsonObject }>(tie => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      anyText,
      fc.integer(),
      fc.constant(null),
      fc.array(tie('tree'), { maxLength: 3 }),
      tie('map'),
    ),
    map: fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'a')), tie('tree'), { maxKeys: 3 }),
  }));
  const anyMap = tree.map(value => (isObject(value) ? value : { value }));

  it('throws, whatever the manifest and the values are', () => {
    fc.assert(
      fc.property(anyMap, anyMap, (object, values) => {
        substitute(object, context({ values }));
      }),
    );
  });

  it('changes anything but text, and keeps every key and the length of every list', () => {
    const scalars = fc.dictionary(fc.constantFrom('a', 'b'), fc.oneof(anyText, fc.integer(), fc.boolean()));
    fc.assert(
      fc.property(anyMap, scalars, (object, values) => {
        expect(shapeOf(substitute(object, context({ values })).object)).toEqual(shapeOf(object));
      }),
    );
  });

  it('looks at a value again: what is put in comes out as it is', () => {
    fc.assert(
      fc.property(anyText, value => {
        const { object, problems } = substitute(
          { whole: '${values.a}', part: '<${values.a}>' },
          context({ values: { a: value } }),
        );
        expect({ object, problems }).toEqual({ object: { whole: value, part: `<${value}>` }, problems: [] });
      }),
    );
  });
});

/** The value with every scalar made the same. */
function shapeOf(value: Json): Json {
  if (isObject(value)) return Object.entries(value).map(([key, item]) => [key, shapeOf(item)]);
  return Array.isArray(value) ? value.map(shapeOf) : 0;
}
