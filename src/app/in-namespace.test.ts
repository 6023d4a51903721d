import { expect, it } from 'vitest';
import type { Manifest } from '../record/parse-yaml.ts';
import { inNamespace } from './in-namespace.ts';

function record(namespace?: string): Manifest {
  const metadata = { name: 'north', ...(namespace === undefined ? {} : { namespace }) };
  return {
    file: 'cloud.yaml',
    index: 0,
    object: { kind: 'OpenstackDeployment', metadata },
    locate: () => ({ line: 1, column: 1 }),
  };
}

it.each([
  { says: 'its own', manifest: record('own'), wish: { usual: 'usual' }, want: 'own' },
  { says: 'the named one', manifest: record(), wish: { named: 'named', usual: 'usual' }, want: 'named' },
  { says: 'the usual one', manifest: record(), wish: { usual: 'usual' }, want: 'usual' },
  { says: 'none', manifest: record(), wish: {}, want: undefined },
  { says: 'the same twice', manifest: record('own'), wish: { named: 'own' }, want: 'own' },
])('a record is in $says', ({ manifest, wish, want }) => {
  const { manifests, findings } = inNamespace([manifest], wish);
  expect(findings).toEqual([]);
  expect(manifests[0]?.object['metadata']).toEqual(
    want === undefined ? { name: 'north' } : { name: 'north', namespace: want },
  );
});

it('a record that says another namespace than the person is a finding', () => {
  const { findings } = inNamespace([record('own')], { named: 'other' });
  expect(findings).toMatchObject([{ code: 'UsageInvalid', file: 'cloud.yaml', field: 'metadata.namespace' }]);
});

it('other kinds are left as they are', () => {
  const manifest = { ...record(), object: { kind: 'TestPhase', metadata: { name: 'a' } } };
  expect(inNamespace([manifest], { named: 'other' }).manifests).toEqual([manifest]);
});
