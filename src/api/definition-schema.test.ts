import { expect, test } from 'vitest';
import { crdOf } from './crd.ts';
import {
  compareDefinition,
  schemaAnnotations,
  schemaDigestAnnotation,
  schemaGenerationAnnotation,
  schemaGenerationOf,
} from './definition-schema.ts';
import { kinds } from './kinds.ts';
import { openstackDeployment } from './openstack-deployment.ts';
import { schemaGenerations } from './schema-generations.ts';

const own = schemaAnnotations(openstackDeployment);
const other = { [schemaDigestAnnotation]: 'sha256:other' };
const of = (generation: number | string) => ({ [schemaGenerationAnnotation]: String(generation) });
const now = schemaGenerations.length;

test('every definition says which schema it has, each another one', () => {
  const digests = kinds.map(kind => {
    const { annotations } = crdOf(kind)['metadata'] as { annotations: Record<string, string> };
    expect(schemaGenerationOf(annotations)).toBe(now);
    return annotations[schemaDigestAnnotation];
  });
  expect(new Set(digests).size).toBeGreaterThan(4); // those of the phases are nearly the same
});

test.each([
  ['one with our schema is the same', own, 'same'],
  ['one with our schema of another generation is the same', { ...own, ...of(now + 4) }, 'same'],
  ['one with another schema of a generation before is older', { ...other, ...of(now - 1) }, 'older'],
  ['one with another schema of a later generation is newer', { ...other, ...of(now + 1) }, 'newer'],
  ['one of our generation with another schema counts as older', { ...other, ...of(now) }, 'older'],
  ['one that says nothing is older', {}, 'older'],
  ['one that says nonsense is older', { ...other, ...of('new') }, 'older'],
] as const)('%s', (_, annotations, want) => {
  expect(compareDefinition(openstackDeployment, annotations)).toBe(want);
});

test('other words for people are no other schema; another field, called as it may be, is one', () => {
  const { spec } = openstackDeployment;
  const properties = spec.json.properties ?? {};
  const withSpec = (json: object) => ({ ...openstackDeployment, spec: { ...spec, json } as typeof spec });
  expect(compareDefinition(withSpec({ ...spec.json, description: 'In other words.' }), own)).toBe('same');
  const more = { ...properties, description: { type: 'string' } };
  expect(compareDefinition(withSpec({ ...spec.json, properties: more }), own)).toBe('older');
});
