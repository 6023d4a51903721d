import { describe, expect, test } from 'vitest';
import type { Cluster, StoredObject } from '../../cluster/cluster.ts';
import { clusterThat, wireWorld } from './wire-world.contract.ts';

const maps = '/api/v1/namespaces/here/configmaps';
const one: StoredObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'here', uid: 'u', resourceVersion: '5', creationTimestamp: 'then' },
};

/** Without the listener that every write has. */
function asData(word: unknown): unknown {
  if (typeof word !== 'object' || word === null || !('onDropped' in word)) return word;
  const { onDropped: _, ...data } = word;
  return data;
}

/** A cluster that takes everything and keeps what it was asked. */
function taking() {
  const asked: unknown[][] = [];
  const take =
    (what: string) =>
    async (...words: unknown[]): Promise<StoredObject> => {
      asked.push([what, ...words.map(asData)]);
      return one;
    };
  const cluster: Cluster = clusterThat({
    get: take('get'),
    create: take('create'),
    update: take('update'),
    updateStatus: take('updateStatus'),
    patch: take('patch'),
    delete: take('delete'),
    list: async (...words) => {
      asked.push(['list', ...words]);
      return { items: [one], resourceVersion: '9', continue: 'more' };
    },
  });
  return { asked, cluster };
}

const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'here', name: 'a' };
const pod = { ...ref, kind: 'Pod' };

describe('what is asked over the wire is asked of the cluster', () => {
  test('a list with its page and selectors', async () => {
    const { asked, cluster } = taking();
    const world = await wireWorld(cluster);
    const { json } = await world.ask(`${maps}?limit=2&continue=t&labelSelector=a&fieldSelector=b%3Dc`);
    expect(json).toEqual({
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      metadata: { resourceVersion: '9', continue: 'more' },
      items: [one],
    });
    const options = { namespace: 'here', limit: 2, continue: 't', labelSelector: 'a', fieldSelector: 'b=c' };
    expect(asked).toEqual([['list', { apiVersion: 'v1', kind: 'ConfigMap' }, options]]);
  });

  test('a list of a moment is of now where that will do, and refused where not', async () => {
    const world = await wireWorld(taking().cluster);
    const codes = ['0', '5', '9', '10', '5&resourceVersionMatch=Exact', '9&resourceVersionMatch=Exact'].map(
      async version => (await world.ask(`${maps}?resourceVersion=${version}`)).code,
    );
    expect(await Promise.all(codes)).toEqual([200, 200, 200, 504, 410, 200]);
  });

  test('a creation, in the namespace of the path', async () => {
    const { asked, cluster } = taking();
    const world = await wireWorld(cluster);
    const body = JSON.stringify({ metadata: { name: 'a' }, data: { b: 'ä' } });
    const query = 'fieldManager=me&fieldValidation=Strict&dryRun=All';
    expect(await world.ask(`${maps}?${query}`, { method: 'POST', body })).toMatchObject({
      code: 201,
      json: one,
    });
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'here' },
      data: { b: 'ä' },
    };
    expect(asked).toEqual([
      ['create', object, { fieldManager: 'me', fieldValidation: 'Strict', dryRun: true }],
    ]);
  });

  test('who does not say who it is, is known by its program', async () => {
    const { asked, cluster } = taking();
    const world = await wireWorld(cluster);
    const headers = { 'user-agent': 'kubectl/v1.32.4 (linux)' };
    await world.ask(maps, { method: 'POST', body: '{}', headers });
    expect(asked[0]?.[2]).toEqual({ fieldManager: 'kubectl' });
  });

  test('an update of an object, and of its status', async () => {
    const { asked, cluster } = taking();
    const world = await wireWorld(cluster);
    const body = JSON.stringify({ metadata: { name: 'a' } });
    await world.ask('/api/v1/namespaces/here/pods/a', { method: 'PUT', body });
    await world.ask('/api/v1/namespaces/here/pods/a/status', { method: 'PUT', body });
    await world.ask('/api/v1/namespaces/a/status', { method: 'PUT', body });
    const placed = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'here' } };
    expect(asked).toEqual([
      ['update', placed, {}],
      ['updateStatus', placed, {}],
      ['updateStatus', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } }, {}],
    ]);
  });

  test('patches of three kinds', async () => {
    const { asked, cluster } = taking();
    const world = await wireWorld(cluster);
    const patch = (path: string, type: string, value: unknown) =>
      world.ask(`/api/v1/namespaces/here/pods/a${path}`, {
        method: 'PATCH',
        headers: { 'content-type': `application/${type}; charset=utf-8` },
        body: JSON.stringify(value),
      });
    await patch('/status?dryRun=All', 'merge-patch+json', { a: null });
    await patch('', 'json-patch+json', [{ op: 'remove', path: '/a' }]);
    await patch('?fieldManager=me&force=true', 'apply-patch+yaml', pod);
    expect(asked).toEqual([
      ['patch', pod, { type: 'merge', value: { a: null } }, { dryRun: true, subresource: 'status' }],
      ['patch', pod, { type: 'json', value: [{ op: 'remove', path: '/a' }] }, {}],
      ['patch', pod, { type: 'apply', value: pod, fieldManager: 'me', force: true }, { fieldManager: 'me' }],
    ]);
  });

  test('a deletion with its options, in the body or beside it', async () => {
    const { asked, cluster } = taking();
    const world = await wireWorld(cluster);
    const options = {
      kind: 'DeleteOptions',
      preconditions: { uid: 'u', resourceVersion: '5' },
      propagationPolicy: 'Orphan',
      gracePeriodSeconds: 0,
      dryRun: ['All'],
    };
    await world.ask(`${maps}/a`, { method: 'DELETE', body: JSON.stringify(options) });
    await world.ask(`${maps}/a?propagationPolicy=Foreground&gracePeriodSeconds=3`, { method: 'DELETE' });
    await world.ask(`${maps}/a`, { method: 'DELETE' });
    const { preconditions } = options;
    expect(asked).toEqual([
      ['delete', ref, { preconditions, propagation: 'Orphan', gracePeriodSeconds: 0, dryRun: true }],
      ['delete', ref, { propagation: 'Foreground', gracePeriodSeconds: 3 }],
      ['delete', ref, {}],
    ]);
  });
});

describe('discovery', () => {
  test('says which kinds there are, by which names', async () => {
    const kinds = ['v1alpha1', 'v1', 'v1beta1'].map(version => ({
      group: 'afloat.dev',
      version,
      kind: 'Boat',
      plural: 'boats',
      singular: 'boat',
      shortNames: ['bt'],
      categories: ['all'],
      isNamespaced: true,
      hasStatus: true,
    }));
    const world = await wireWorld(clusterThat({}), { kinds: () => kinds });
    expect((await world.ask('/api')).json).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    const versions = ['v1', 'v1beta1', 'v1alpha1'].map(version => ({
      groupVersion: `afloat.dev/${version}`,
      version,
    }));
    const group = { kind: 'APIGroup', name: 'afloat.dev', versions, preferredVersion: versions[0] };
    expect((await world.ask('/apis')).json).toMatchObject({
      kind: 'APIGroupList',
      groups: expect.arrayContaining([expect.objectContaining(group)]),
    });
    expect((await world.ask('/apis/afloat.dev')).json).toMatchObject(group);
    const { json } = await world.ask('/apis/afloat.dev/v1');
    expect(json).toMatchObject({ kind: 'APIResourceList', groupVersion: 'afloat.dev/v1' });
    expect(json['resources']).toMatchObject([
      { name: 'boats', singularName: 'boat', namespaced: true, kind: 'Boat', shortNames: ['bt'] },
      { name: 'boats/status', verbs: ['get', 'patch', 'update'] },
    ]);
  });
});
