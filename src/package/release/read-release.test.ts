import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readRelease } from './read-release.ts';

/** As Helm writes it, and an API server gives it. */
const written = (content: unknown) =>
  Buffer.from(gzipSync(JSON.stringify(content)).toString('base64')).toString('base64');

const release = {
  ...{ name: 'keystone', namespace: 'openstack', version: 4, config: { replicas: 2 } },
  chart: { metadata: { name: 'keystone', version: '2026.1.0', appVersion: 'v27.0.0' }, templates: [] },
  manifest: '---\n# Source: keystone/templates/api.yaml\nkind: Service\n',
  hooks: [{ name: 'sync', path: 'keystone/templates/job-db-sync.yaml', manifest: 'kind: Job\n', weight: -4 }],
  info: { status: 'deployed' },
};

test('a release says what it was made of and rendered to', () => {
  expect(readRelease('sh.helm.release.v1.keystone.v4', written(release))).toEqual({
    release: {
      ...{ name: 'keystone', namespace: 'openstack', revision: 4, values: { replicas: 2 } },
      chart: { name: 'keystone', version: '2026.1.0', appVersion: 'v27.0.0' },
      manifest: release.manifest,
      hooks: [{ path: 'keystone/templates/job-db-sync.yaml', manifest: 'kind: Job\n' }],
    },
  });
});

describe('a Secret that holds no release', () => {
  const bomb = Buffer.from(gzipSync(Buffer.alloc(80 * 1024 ** 2)).toString('base64')).toString('base64');
  test.each([
    ['nothing', ''],
    ['text', Buffer.from('hello').toString('base64')],
    ['something else', written('hello')],
    ['a release without a manifest', written({ ...release, manifest: undefined })],
    ['a release without a chart', written({ ...release, chart: {} })],
    ['more than a Secret can mean', bomb],
  ])('but %s is told by its name', (_, text) => {
    expect(readRelease('sh.helm.release.v1.x.v1', text)).toMatchObject({
      findings: [{ code: 'ReleaseUnreadable', message: expect.stringContaining('sh.helm.release.v1.x.v1') }],
    });
  });
});
