import { type JsonObject, sameJson } from '../../base/json.ts';
import { type Resolution, resolveRecord } from '../../record/resolve-record.ts';
import type { RecordObject } from '../our-objects.ts';

/**
 * Records that were checked before, by uid and generation: to check a large one takes longer than a pass. A store that was put back to a
 * backup counts the same generations again, with other words in them.
 */
const known = new Map<string, { readonly spec: RecordObject['spec']; readonly resolution: Resolution }>();

/** More than one operator has clouds that change at once; what is checked again costs little. */
const mostKnown = 256;

/** The record of a cluster, checked as one from a file is; what says the same gives the same result, itself. Findings name the object where they would name a file. */
export function recordFromObject(object: RecordObject): Resolution {
  const { uid, generation } = object.metadata;
  if (generation === undefined) return check(object);
  const key = `${uid} ${generation}`;
  const before = known.get(key);
  const { spec } = object;
  const isSame = before !== undefined && (before.spec === spec || sameJson(before.spec, spec));
  const resolution = isSame ? before.resolution : check(object);
  known.delete(key);
  known.set(key, { spec, resolution });
  if (known.size > mostKnown) known.delete(known.keys().next().value ?? '');
  return resolution;
}

function check(object: RecordObject): Resolution {
  const { name, namespace, generation } = object.metadata;
  const { apiVersion, kind, spec } = object;
  return resolveRecord([
    {
      file: `${kind}/${name}`,
      index: 0,
      object: { apiVersion, kind, metadata: { name, namespace, generation }, spec } as unknown as JsonObject,
      locate: () => ({ line: 1, column: 1 }),
    },
  ]);
}
