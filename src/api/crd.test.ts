import { describe, expect, test } from 'vitest';
import { crdOf } from './crd.ts';
import { objectSchema, type PrinterColumn } from './kind.ts';
import { kinds } from './kinds.ts';
import { packageLifecycle } from './package-lifecycle.ts';
import { applyDefaults } from './schema/defaults.ts';
import type { StructuralSchema } from './schema/structural-schema.ts';
import { validate } from './schema/validate.ts';

interface Node {
  readonly path: string;
  readonly schema: StructuralSchema;
}

/** The schema at `path` and every one below it. */
function nodesIn(path: string, schema: StructuralSchema): Node[] {
  return [
    { path, schema },
    ...Object.entries(schema.properties ?? {}).flatMap(([name, below]) => nodesIn(`${path}.${name}`, below)),
    ...(schema.items ? nodesIn(`${path}[]`, schema.items) : []),
    ...(schema.additionalProperties ? nodesIn(`${path}.*`, schema.additionalProperties) : []),
  ];
}

const schemas: readonly [string, StructuralSchema][] = [
  ...kinds.flatMap((kind): [string, StructuralSchema][] => [
    [`${kind.kind}.spec`, kind.spec.json],
    [`${kind.kind}.status`, kind.status.json],
  ]),
  ['lifecycle.yaml', packageLifecycle.json],
];

/** The paths of the nodes for which `wrong` is true; a test expects none. */
function pathsOf(root: [string, StructuralSchema], wrong: (schema: StructuralSchema) => boolean): string[] {
  return nodesIn(...root)
    .filter(({ schema }) => wrong(schema))
    .map(({ path }) => path);
}

const allowedKeywords = new Set([
  'type',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'maxProperties',
  'items',
  'minItems',
  'maxItems',
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'format',
  'minimum',
  'maximum',
  'default',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-validations',
]);

describe.each(schemas)('the schema of %s', (...root) => {
  test('has a type and a description everywhere', () => {
    expect(pathsOf(root, schema => !schema.type || !schema.description?.trim())).toEqual([]);
  });
  test('has a limit for every text, list and map, or the cost of a rule could not be reckoned', () => {
    expect(
      pathsOf(root, schema => {
        if (schema.type === 'string') return schema.maxLength === undefined && schema.enum === undefined;
        if (schema.type === 'array') return schema.maxItems === undefined;
        return schema.additionalProperties !== undefined && schema.maxProperties === undefined;
      }),
    ).toEqual([]);
  });
  test('has both bounds for every number, in the order and range an API server takes', () => {
    expect(
      pathsOf(root, ({ type, minimum, maximum }) => {
        if (type !== 'integer' && type !== 'number') return false;
        if (minimum === undefined || maximum === undefined) return true;
        return minimum > maximum || !Number.isSafeInteger(minimum) || !Number.isSafeInteger(maximum);
      }),
    ).toEqual([]);
  });
  test('uses only keywords an API server takes', () => {
    expect(pathsOf(root, schema => Object.keys(schema).some(key => !allowedKeywords.has(key)))).toEqual([]);
  });
  test('says what is in every list', () => {
    expect(pathsOf(root, schema => schema.type === 'array' && !schema.items)).toEqual([]);
  });
  test('never mixes fields and map entries in one object', () => {
    expect(pathsOf(root, schema => Boolean(schema.properties && schema.additionalProperties))).toEqual([]);
  });
  test('requires only fields that are there and have no default', () => {
    expect(
      pathsOf(root, ({ required = [], properties = {} }) =>
        required.some(name => !properties[name] || properties[name].default !== undefined),
      ),
    ).toEqual([]);
  });
  test('tells the items of lists apart by required plain fields', () => {
    expect(
      pathsOf(root, schema => {
        const keys = schema['x-kubernetes-list-map-keys'];
        if (schema['x-kubernetes-list-type'] !== 'map') return keys !== undefined;
        const { properties = {}, required = [] } = schema.items ?? {};
        const isKey = (key: string) =>
          required.includes(key) && !['object', 'array', undefined].includes(properties[key]?.type);
        return !keys?.length || !keys.every(isKey);
      }),
    ).toEqual([]);
  });
  test('has sets of plain values only', () => {
    expect(
      pathsOf(
        root,
        schema =>
          schema['x-kubernetes-list-type'] === 'set' &&
          ['object', 'array', undefined].includes(schema.items?.type),
      ),
    ).toEqual([]);
  });
  test('has defaults that are right, as written and when filled in', () => {
    expect(
      pathsOf(
        root,
        schema =>
          schema.default !== undefined &&
          (validate(schema, applyDefaults(schema, schema.default)).length > 0 ||
            validate(withoutRules(schema), schema.default).length > 0),
      ),
    ).toEqual([]);
  });
  test('has patterns that can be read and words without repetition', () => {
    expect(pathsOf(root, ({ pattern }) => pattern !== undefined && !readable(pattern))).toEqual([]);
    expect(
      pathsOf(root, ({ enum: words }) => words !== undefined && new Set(words).size < words.length),
    ).toEqual([]);
  });
});

/** Rules count on defaults being filled in below, which a default as written need not have. */
function withoutRules(schema: StructuralSchema): StructuralSchema {
  const { 'x-kubernetes-validations': _, ...rest } = schema;
  return rest;
}

/** Go's regular expressions have no look-around and no back references. */
function readable(pattern: string): boolean {
  return Boolean(new RegExp(pattern, 'u')) && !/\(\?[=!<]|\\[1-9]/.test(pattern);
}

describe('the columns', () => {
  const columns = kinds.flatMap(kind => kind.columns.map(column => ({ kind, column, name: column.name })));

  test.each(columns)('$kind.kind $name points to a field that is there', ({ kind, column }) => {
    if (column.jsonPath === '.metadata.creationTimestamp') return;
    const field = fieldAt(objectSchema(kind), column);
    expect(field).toBeDefined();
    expect(field?.type).toBe(column.type);
  });

  test.each(kinds)('of $kind have names of their own', ({ columns: own }) => {
    expect(new Set(own.map(column => column.name)).size).toBe(own.length);
  });
});

/** The schema a column points to; a filter on a list leads to its items. */
function fieldAt(schema: StructuralSchema, { jsonPath }: PrinterColumn): StructuralSchema | undefined {
  const steps = jsonPath
    .replace(/\[\?\([^)]*\)\]/g, '.[]')
    .split('.')
    .slice(1);
  return steps.reduce<StructuralSchema | undefined>(
    (at, step) => (step === '[]' ? at?.items : at?.properties?.[step]),
    schema,
  );
}

describe.each(kinds)('the CRD of $kind', kind => {
  test('has the names an API server asks for', () => {
    expect(crdOf(kind)).toMatchObject({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${kind.plural}.openstacklcm.airshipit.org` },
      spec: {
        group: 'openstacklcm.airshipit.org',
        scope: 'Namespaced',
        names: { kind: kind.kind, plural: kind.plural, shortNames: [kind.shortName] },
        versions: [{ name: 'v1alpha1', served: true, storage: true, subresources: { status: {} } }],
      },
    });
  });
  test('is plain JSON: no predicate, no undefined', () => {
    // A clone has no symbol keys: those hold the predicates and are meant to stay behind.
    const crd = structuredClone(crdOf(kind));
    expect(JSON.parse(JSON.stringify(crd))).toStrictEqual(crd);
  });
  test('is far below the size an API server takes', () => {
    expect(JSON.stringify(crdOf(kind)).length).toBeLessThan(256 * 1024);
  });
});
