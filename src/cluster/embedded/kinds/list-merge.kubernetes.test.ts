import { expect, inject, test } from 'vitest';
import { apiCall } from '../../../../scripts/kubernetes/api-call.ts';
import { readAccess } from '../../../../scripts/kubernetes/kubeconfig.ts';
import { readOpenApi } from '../../../../scripts/kubernetes/shapes/open-api.ts';
import { builtinKinds } from './builtin-kinds.ts';
import { builtinSchema } from './builtin-schema.ts';
import { builtinShapes } from './builtin-shapes.ts';
import { apiVersionOf } from './kind-rules.ts';
import { listMergeOf, replacedMaps, retainsKeys } from './list-merge.ts';

const { kubeconfig, programs } = inject('kubernetes');

interface PatchedField {
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
}

// A given cluster may be of another version, with other types.
test.skipIf(!programs)('strategic merge patches merge what those of this API server do', async () => {
  const types = await readOpenApi(apiCall(await readAccess(kubeconfig)), builtinKinds.map(apiVersionOf));
  const ours: string[] = [];
  const theirs: string[] = [];
  for (const line of builtinShapes.trim().split('\n')) {
    const name = line.slice(0, line.indexOf(' '));
    const schema = builtinSchema(name);
    const [, type] = [...types].find(([full]) => full.endsWith(`.${name}`)) ?? [];
    for (const [field, said] of Object.entries(type?.properties ?? {})) {
      const at = `${name}.${field}`;
      const { 'x-kubernetes-patch-strategy': strategy = '', 'x-kubernetes-patch-merge-key': key } =
        said as PatchedField;
      theirs.push(`${at} ${strategy} ${key}`);
      const merge = listMergeOf(schema, field);
      const words = [
        ...(merge.by === 'whole' ? [] : ['merge']),
        ...(replacedMaps.includes(at) ? ['replace'] : []),
        ...(retainsKeys.includes(at) ? ['retainKeys'] : []),
      ];
      ours.push(`${at} ${words.join(',')} ${merge.by === 'key' ? merge.key : undefined}`);
    }
  }
  expect(theirs.length).toBeGreaterThan(500);
  expect(ours).toEqual(theirs);
});
