import { expect, test } from 'vitest';
import { shortImageName } from '../../api/image-name.ts';
import type { Cluster, StoredObject } from '../../cluster/cluster.ts';
import { Informer } from '../../reconcile/informer.ts';
import { ConfigMapImages, imagesLabel } from './config-map-images.ts';

/** Told of by hand: no cluster is asked. */
function informer(): Informer {
  return new Informer({} as Cluster, { apiVersion: 'v1', kind: 'ConfigMap' });
}

function configMap(name: string, value: string, more: object = {}): StoredObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace: 'default',
      uid: name,
      resourceVersion: '1',
      creationTimestamp: '',
      labels: { [imagesLabel]: 'true' },
      ...more,
    },
    data: { all: value },
  };
}

test('an image is what a labelled ConfigMap of the namespace says', () => {
  const configMaps = informer();
  const images = new ConfigMapImages(configMaps, () => {});
  configMaps.saw(
    configMap(
      'a',
      '{"app:1": {"command": ["/bin/app"], "root": "/roots/app", "env": {"N": 1}, "workingDir": "/w"}}',
    ),
  );
  configMaps.saw(configMap('b', '{"other": {}}', { labels: {} }));
  expect(images.find('default', 'docker.io/library/app:1')).toEqual({
    entrypoint: ['/bin/app'],
    root: '/roots/app',
    env: { N: '1' },
    workingDir: '/w',
  });
  expect(images.find('elsewhere', 'app:1')).toBeUndefined();
  expect(images.find('default', 'other')).toBeUndefined();
});

test('a map that cannot be read is told of and hides no other', () => {
  const configMaps = informer();
  const troubles: string[] = [];
  const images = new ConfigMapImages(configMaps, doing => troubles.push(doing));
  configMaps.saw(configMap('bad', '{'));
  configMaps.saw(configMap('good', '{"app": {}}'));
  expect(images.find('default', 'app')).toEqual({ entrypoint: [], env: {} });
  images.find('default', 'app');
  expect(troubles).toEqual(['images in ConfigMap default/bad: all']);
});

test('who waits for a name is told', () => {
  const configMaps = informer();
  const told: string[] = [];
  new ConfigMapImages(configMaps, () => {}).onChange(namespace => told.push(namespace));
  configMaps.saw(configMap('a', '{}'));
  configMaps.saw(configMap('b', '{}', { labels: {} }));
  expect(told).toEqual(['default']);
});

test.each([
  ['docker.io/library/web:latest', 'web'],
  ['web', 'web'],
  ['library/web:1', 'web:1'],
  ['quay.io/library/web', 'quay.io/library/web'],
])('%s is %s', (name, want) => {
  expect(shortImageName(name)).toBe(want);
});
