import { expect, test } from 'vitest';
import type { RouteService } from '../route-objects.ts';
import { previewName, previewService } from './preview-service.ts';

const isName = /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

test('a short name is the names of Service and slice', () => {
  expect(previewName({ service: 'keystone-api' }, 'green')).toBe('keystone-api-preview-green');
});

test('a name that would be too long, or no name, is cut and told apart by a digest', () => {
  const long = 'a'.repeat(63);
  const names = [
    previewName({ service: long }, 'blue'),
    previewName({ service: long }, 'green'),
    previewName({ service: 'web' }, 'v1.2'),
    previewName({ service: 'web' }, 'v1_2'),
    previewName({ service: 'web' }, 'v1-2'),
  ];
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(isName);
});

test('a preview selects one slice, has the ports of the route, and says whose it is', () => {
  const route: RouteService = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'web',
      namespace: 'north',
      uid: 'u',
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { 'openstacklcm.airshipit.org/service': 'web', other: 'x' },
    },
    spec: {
      selector: { app: 'web', 'openstacklcm.airshipit.org/slice': 'blue' },
      ports: [{ name: 'api', port: 80, targetPort: 'http', protocol: 'TCP', nodePort: 30_000 } as never],
    },
  };
  expect(previewService(route, 'green')).toEqual({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'web-preview-green',
      namespace: 'north',
      labels: {
        'app.kubernetes.io/managed-by': 'afloat',
        'openstacklcm.airshipit.org/preview-of': 'web',
        'openstacklcm.airshipit.org/service': 'web',
      },
    },
    spec: {
      type: 'ClusterIP',
      selector: { app: 'web', 'openstacklcm.airshipit.org/slice': 'green' },
      ports: [{ name: 'api', port: 80, targetPort: 'http', protocol: 'TCP' }],
    },
  });
});
