import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { identityKey, identityOf, referenceOf } from './object-kinds.ts';

const object = (apiVersion: string, kind: string, name: string, namespace?: string): JsonObject => ({
  apiVersion,
  kind,
  metadata: namespace === undefined ? { name } : { name, namespace },
});

describe('identityKey', () => {
  const one = object('apps/v1', 'Deployment', 'api', 'openstack');

  it.each<{ name: string; other: JsonObject; same: boolean }>([
    {
      name: 'another version of the group is the same object',
      other: object('apps/v2', 'Deployment', 'api', 'openstack'),
      same: true,
    },
    {
      name: 'another group is another object',
      other: object('v1', 'Deployment', 'api', 'openstack'),
      same: false,
    },
    {
      name: 'another kind is another object',
      other: object('apps/v1', 'DaemonSet', 'api', 'openstack'),
      same: false,
    },
    {
      name: 'another name is another object',
      other: object('apps/v1', 'Deployment', 'ap', 'openstack'),
      same: false,
    },
    {
      name: 'another namespace is another object',
      other: object('apps/v1', 'Deployment', 'api', 'o'),
      same: false,
    },
    { name: 'no namespace is another object', other: object('apps/v1', 'Deployment', 'api'), same: false },
  ])('$name', ({ other, same }) => {
    expect(identityKey(one) === identityKey(other)).toBe(same);
  });
});

describe('identityOf', () => {
  it('reads whatever is there and never fails', () => {
    for (const odd of [{}, { metadata: null }, { kind: 5, metadata: { name: [] } }, { metadata: 'x' }]) {
      expect(identityOf(odd)).toEqual({ apiVersion: '', kind: '', name: '', namespace: '' });
    }
  });
});

describe('referenceOf', () => {
  it('is how lifecycle.yaml names an object', () => {
    expect(referenceOf(object('batch/v1', 'Job', 'db-expand'))).toBe('job/db-expand');
    expect(referenceOf(object('batch/v1', 'CronJob', 'rotate'))).toBe('cronjob/rotate');
  });
});
