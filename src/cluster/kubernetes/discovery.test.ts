import { describe, expect, test } from 'vitest';
import { ClusterError } from '../cluster-error.ts';
import { collectionPath, creationPath, Discovery, objectPath } from './discovery.ts';

const record = { apiVersion: 'a.org/v1', kind: 'Record' };
const resources = [
  { name: 'records', kind: 'Record', namespaced: true },
  { name: 'records/status', kind: 'Record', namespaced: true },
  { name: 'clouds', kind: 'Cloud', namespaced: false },
];

function discovery(answers: readonly unknown[]) {
  const asked: string[] = [];
  const found = new Discovery(async path => {
    const answer = answers[Math.min(asked.length, answers.length - 1)];
    asked.push(path);
    if (answer instanceof Error) throw answer;
    return answer;
  });
  return { found, asked };
}

describe('Discovery', () => {
  test('asks once, also when many ask at once', async () => {
    const { found, asked } = discovery([{ resources }]);
    const all = await Promise.all([1, 2, 3].map(() => found.resourceOf(record)));
    await found.resourceOf({ ...record, kind: 'Cloud' });
    expect(all[2]).toEqual({ name: 'records', namespaced: true });
    expect(asked).toEqual(['/apis/a.org/v1']);
  });

  test('asks again for a kind it has not seen: its CRD may have come meanwhile', async () => {
    const { found, asked } = discovery([{ resources: [] }, { resources }]);
    await expect(found.resourceOf({ ...record, kind: 'Nonsense' })).rejects.toMatchObject({
      reason: 'NotFound',
    });
    expect(await found.resourceOf(record)).toEqual({ name: 'records', namespaced: true });
    expect(asked).toHaveLength(2);
  });

  test('asks again after it was told to forget, and after trouble', async () => {
    const { found, asked } = discovery([new ClusterError('Unreachable', 'down'), { resources }]);
    await expect(found.resourceOf(record)).rejects.toMatchObject({ reason: 'Unreachable' });
    await found.resourceOf(record);
    found.forget(record.apiVersion);
    await found.resourceOf(record);
    expect(asked).toHaveLength(3);
  });

  test('says that a group which is not there has no such kind', async () => {
    const { found } = discovery([new ClusterError('NotFound', 'no group')]);
    await expect(found.resourceOf(record)).rejects.toMatchObject({ reason: 'NotFound' });
  });
});

describe('paths', () => {
  const inside = { name: 'records', namespaced: true };
  const outside = { name: 'nodes', namespaced: false };
  const node = { apiVersion: 'v1', kind: 'Node' };
  test.each([
    [collectionPath(record, inside, 'here'), '/apis/a.org/v1/namespaces/here/records'],
    [collectionPath(record, inside, undefined), '/apis/a.org/v1/records'],
    [collectionPath(node, outside, 'here'), '/api/v1/nodes'],
    [
      objectPath({ ...record, name: 'x', namespace: 'here' }, inside),
      '/apis/a.org/v1/namespaces/here/records/x',
    ],
    [objectPath({ ...node, name: 'a:b c' }, outside), '/api/v1/nodes/a%3Ab%20c'],
  ])('%s', (path, want) => expect(path).toBe(want));

  test.each([
    () => objectPath({ ...record, name: 'x' }, inside),
    () => objectPath({ ...node, name: 'a/../b' }, outside),
    () => objectPath({ ...node, name: '..' }, outside),
    () => collectionPath(record, inside, '.'),
    () => objectPath({ ...record, name: '', namespace: 'here' }, inside),
    () => creationPath({ ...record, metadata: { name: 'x' } }, inside),
  ])('a name or namespace that is missing is a bad request', make => {
    expect(make).toThrow(expect.objectContaining({ reason: 'BadRequest' }));
  });
});
