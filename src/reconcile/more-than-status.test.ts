import { describe, expect, it } from 'vitest';
import type { StoredObject } from '../cluster/cluster.ts';
import { isMoreThanStatus } from './more-than-status.ts';

const metadata = {
  ...{ name: 'north', namespace: 'openstack', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' },
  ...{ resourceVersion: '7', generation: 2, annotations: { a: '1' } },
};
const object: StoredObject = { apiVersion: 'v1', kind: 'Thing', metadata, spec: { a: 1 } };

function changed(more: Partial<typeof metadata> & Record<string, unknown>, content = {}): StoredObject {
  return { ...object, ...content, metadata: { ...metadata, resourceVersion: '8', ...more } };
}

describe('a change is more than a status', () => {
  it.each([
    ['when it came', undefined, object],
    ['when it went', object, undefined],
    ['when its spec is another', object, changed({ generation: 3 })],
    ['when it was made anew', object, changed({ uid: 'v' })],
    ['when it is being deleted', object, changed({ deletionTimestamp: '2026-01-02T00:00:00Z' })],
    ['when an annotation is another', object, changed({ annotations: { a: '2' } })],
    ['when a label came', object, changed({ labels: { a: '2' } })],
    ['when a finalizer came', object, changed({ finalizers: ['example.org/keep'] })],
  ])('%s', (_, before, after) => {
    expect(isMoreThanStatus({ object: after, before })).toBe(true);
  });

  it('and not when only its status and its version are', () => {
    const after = changed({ annotations: { a: '1' } }, { status: { state: 'Running' } });
    expect(isMoreThanStatus({ object: after, before: object })).toBe(false);
  });
});
