import { describe, expect, test } from 'vitest';
import type { StoredObject } from '../../../cluster/cluster.ts';
import { aContainer, aPod } from '../decide/a-pod.contract.ts';
import type { Container } from '../pod-shape.ts';
import { containerEnv, type EnvSources } from './container-env.ts';
import { resourceValue } from './downward-field.ts';
import { expand } from './expand.ts';
import type { Service } from './service-links.ts';

const metadata = { name: 'x', namespace: 'default', uid: 'u', resourceVersion: '1', creationTimestamp: '' };

function object(kind: string, data: object): StoredObject {
  return { apiVersion: 'v1', kind, metadata, data };
}

function service(name: string, spec: object, namespace = 'default'): Service {
  return { apiVersion: 'v1', kind: 'Service', metadata: { ...metadata, name, namespace }, spec } as Service;
}

const sources: EnvSources = {
  pod: { ...aPod(), metadata: { ...aPod().metadata, labels: { app: 'web' } } },
  where: { podIp: '10.1.0.2', hostIp: '10.1.0.1' },
  capacity: { cpus: 4, memoryBytes: 2 ** 30 },
  services: [],
  configMap: name => (name === 'conf' ? object('ConfigMap', { a: '1', b: '2' }) : undefined),
  secret: name => (name === 'keys' ? object('Secret', { word: 'Z2VoZWlt' }) : undefined),
};

function env(container: Partial<Container>, more: Partial<EnvSources> = {}) {
  return containerEnv(aContainer('main', container), { ...sources, ...more });
}

describe('variables', () => {
  test('what is written beats what is taken over', () => {
    const made = env({
      envFrom: [{ configMapRef: { name: 'conf' } }, { prefix: 'X_', secretRef: { name: 'keys' } }],
      env: [{ name: 'b', value: 'mine' }],
    });
    expect(made).toEqual({ env: { a: '1', b: 'mine', X_word: 'geheim' } });
  });

  test('a reference sees what stands before it, and Services', () => {
    const made = env(
      {
        env: [
          { name: 'EARLY', value: '$(LATE)' },
          { name: 'LATE', value: 'x' },
          { name: 'BOTH', value: '$(LATE)-$(DB_SERVICE_HOST)-$$(LATE)' },
        ],
      },
      { services: [service('db', { clusterIP: '10.0.0.9', ports: [{ port: 5432 }] })] },
    );
    expect(made).toMatchObject({ env: { EARLY: '$(LATE)', LATE: 'x', BOTH: 'x-10.0.0.9-$(LATE)' } });
  });

  test('fields of the Pod', () => {
    const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });
    const made = env({
      env: [field('A', "metadata.labels['app']"), field('B', 'status.podIP'), field('C', 'spec.nodeName')],
    });
    expect(made).toEqual({ env: { A: 'web', B: '10.1.0.2', C: 'local' } });
  });

  const ref = (of: object) => ({ env: [{ name: 'A', valueFrom: of }] });
  test.each<[string, Partial<Container>, object]>([
    [
      'no such ConfigMap',
      ref({ configMapKeyRef: { name: 'no', key: 'a' } }),
      { problem: 'configmap "no" not found' },
    ],
    ['no such Secret', { envFrom: [{ secretRef: { name: 'no' } }] }, { problem: 'secret "no" not found' }],
    [
      'no such key',
      ref({ configMapKeyRef: { name: 'conf', key: 'z' } }),
      { problem: "couldn't find key z in ConfigMap default/conf" },
    ],
    ['an optional one', ref({ secretKeyRef: { name: 'no', key: 'a', optional: true } }), { env: {} }],
    ['an optional key', ref({ configMapKeyRef: { name: 'conf', key: 'z', optional: true } }), { env: {} }],
  ])('%s', (_, container, want) => {
    expect(env(container)).toEqual(want);
  });

  test('Services of the namespace are told, those without an address are not; a manifest may ask for none', () => {
    const services = [
      service('my-db', { clusterIP: '10.0.0.9', ports: [{ name: 'main', port: 5432 }] }),
      service('headless', { clusterIP: 'None', ports: [{ port: 1 }] }),
      service('far', { clusterIP: '10.0.0.8', ports: [{ port: 1 }] }, 'other'),
    ];
    expect(env({}, { services })).toEqual({
      env: {
        MY_DB_SERVICE_HOST: '10.0.0.9',
        MY_DB_SERVICE_PORT: '5432',
        MY_DB_SERVICE_PORT_MAIN: '5432',
        MY_DB_PORT: 'tcp://10.0.0.9:5432',
        MY_DB_PORT_5432_TCP: 'tcp://10.0.0.9:5432',
        MY_DB_PORT_5432_TCP_PROTO: 'tcp',
        MY_DB_PORT_5432_TCP_PORT: '5432',
        MY_DB_PORT_5432_TCP_ADDR: '10.0.0.9',
      },
    });
    const pod = aPod({ enableServiceLinks: false });
    expect(env({}, { services, pod })).toEqual({ env: {} });
  });
});

test.each([
  ['$(A)', 'x'],
  ['$$(A)', '$(A)'],
  ['$(NONE)', '$(NONE)'],
  ['$A', '$A'],
  ['$$$(A)', '$x'],
  ['$(A', '$(A'],
])('%s becomes %s', (text, want) => {
  expect(expand(text, name => (name === 'A' ? 'x' : undefined))).toBe(want);
});

test.each([
  ['limits.cpu', undefined, '2'],
  ['limits.cpu', '1m', '1500'],
  ['limits.memory', '1Mi', '1024'],
  ['requests.memory', undefined, '0'],
])('%s in units of %s is %s', (resource, divisor, want) => {
  const container = aContainer('main', { resources: { limits: { cpu: '1500m' } } });
  const ref = { resource, ...(divisor === undefined ? {} : { divisor }) };
  expect(resourceValue(ref, container, aPod(), sources.capacity)).toBe(want);
});
