import { expect, test } from 'vitest';
import type { RecordObject } from '../our-objects.ts';
import { recordFromObject } from './record-from-object.ts';

/** The second generation of one record, as it is read from a cluster. */
const saying = (version: string) =>
  ({
    apiVersion: 'openstacklcm.airshipit.org/v1alpha1',
    kind: 'OpenstackDeployment',
    metadata: { name: 'north', namespace: 'openstack', uid: 'one', generation: 2 },
    spec: {
      source: { type: 'local', location: '{name}/{version}' },
      services: [{ name: 'keystone', version }],
    },
  }) as unknown as RecordObject;

const versionOf = (resolution: ReturnType<typeof recordFromObject>) => JSON.stringify(resolution);

test('what was checked before is not checked again', () => {
  expect(recordFromObject(saying('1.0.0'))).toBe(recordFromObject(saying('1.0.0')));
});

test('a generation that says something else, after a store was put back, is read anew', () => {
  expect(versionOf(recordFromObject(saying('1.0.0')))).toContain('1.0.0');
  expect(versionOf(recordFromObject(saying('2.0.0')))).toContain('2.0.0');
});
