import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kinds } from '../../../api/kinds.ts';
import { EmbeddedCluster } from '../embedded-cluster.ts';

test('what is served has the names of its definition, and follows the definitions', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'afloat-served-'));
  const cluster = await EmbeddedCluster.open(folder);
  try {
    const named = (kind: string) => cluster.kinds().filter(one => one.kind === kind);
    expect(named('Pod')).toMatchObject([{ group: '', plural: 'pods', shortNames: ['po'], hasStatus: true }]);
    expect(named('Event').map(({ group }) => group)).toEqual(['', 'events.k8s.io']);
    for (const { kind, plural, shortName } of kinds) {
      const names = { plural, singular: kind.toLowerCase(), shortNames: [shortName], categories: ['afloat'] };
      expect(named(kind)).toMatchObject([{ ...names, isNamespaced: true, hasStatus: true }]);
    }
    const before = cluster.kinds();
    expect(cluster.kinds()).toBe(before);
    const schema = { openAPIV3Schema: { type: 'object' } };
    await cluster.create({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'boats.afloat.dev' },
      spec: {
        group: 'afloat.dev',
        scope: 'Cluster',
        names: { plural: 'boats', kind: 'Boat' },
        versions: [
          { name: 'v1', served: true, storage: true, schema },
          { name: 'v2', served: false, storage: false, schema },
        ],
      },
    });
    const boat = { version: 'v1', singular: 'boat', shortNames: [], isNamespaced: false, hasStatus: false };
    expect(named('Boat')).toMatchObject([boat]);
  } finally {
    await cluster.close();
    rmSync(folder, { recursive: true });
  }
});
