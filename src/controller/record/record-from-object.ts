import type { JsonObject } from '../../base/json.ts';
import { type Resolution, resolveRecord } from '../../record/resolve-record.ts';
import type { RecordObject } from '../our-objects.ts';

/** The record of a cluster, checked as one from a file is. Findings name the object where they would name a file. */
export function recordFromObject(object: RecordObject): Resolution {
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
