import { beforeEach, expect, test } from 'vitest';
import type { ApiCall } from './api-call.ts';
import { type Crd, installCrds, readCrds } from './install-crds.ts';

const crds = await readCrds();
const [first, second] = crds as [Crd, Crd];

/** The definitions of a cluster, by name, and one that it refuses. */
let there: Map<string, object>;
let refused = '';

const call: ApiCall = async (method, path, body) => {
  const answer = (status: number, content: unknown = {}) => ({ status, warnings: [], body: content });
  const [, name = ''] = /customresourcedefinitions\/([^?]+)/.exec(path) ?? [];
  if (!path.includes('customresourcedefinitions')) return answer(200);
  const sent = body as Crd;
  if (method === 'GET') return there.has(name) ? answer(200, there.get(name)) : answer(404);
  if (method === 'DELETE') return answer(there.delete(name) ? 200 : 404);
  if (sent.metadata.name === refused) return answer(422, 'refused');
  const status = { conditions: [{ type: 'Established', status: 'True' }] };
  there.set(sent.metadata.name, { metadata: sent.metadata, spec: sent.spec, status });
  return answer(method === 'POST' ? 201 : 200);
};

beforeEach(() => {
  there = new Map();
  refused = '';
});

/** What a cluster had already: another definition of that name, with a label of its own. */
function older({ metadata, spec }: Crd): object {
  return {
    metadata: { ...metadata, labels: { of: 'somebody' } },
    spec: { ...spec, versions: [] },
    status: { conditions: [{ type: 'Established', status: 'True' }] },
  };
}

test('what was not there goes, and what was there is put back', async () => {
  const name = first.metadata.name;
  there.set(name, older(first));
  const goBack = await installCrds(call);
  expect([...there.keys()].sort()).toEqual(crds.map(crd => crd.metadata.name).sort());
  expect(there.get(name)).toMatchObject({ spec: first.spec });
  await goBack();
  expect([...there.keys()]).toEqual([name]);
  expect(there.get(name)).toEqual(older(first));
});

test('a refusal leaves everything as it was', async () => {
  there.set(first.metadata.name, older(first));
  refused = second.metadata.name;
  await expect(installCrds(call)).rejects.toThrow('was refused');
  expect([...there]).toEqual([[first.metadata.name, older(first)]]);
});
