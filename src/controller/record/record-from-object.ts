import type { JsonObject } from '../../base/json.ts';
import { type Resolution, resolveRecord } from '../../record/resolve-record.ts';
import type { RecordObject } from '../our-objects.ts';

/** Records that were checked before: the same generation of the same object says the same. A large one takes longer than a pass. */
const known = new Map<string, Resolution>();

/** More than one operator has clouds that change at once; what is checked again costs little. */
const mostKnown = 256;

/** The record of a cluster, checked as one from a file is. Findings name the object where they would name a file. */
export function recordFromObject(object: RecordObject): Resolution {
  const { uid, generation } = object.metadata;
  if (generation === undefined) return check(object);
  const key = `${uid} ${generation}`;
  const resolution = known.get(key) ?? check(object);
  known.delete(key);
  known.set(key, resolution);
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
