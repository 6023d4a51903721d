import type { JsonObject } from '../../base/json.ts';
import { setValue } from '../../base/set-value.ts';
import { parseTargetPath } from '../../record/check-values-from.ts';

/** Lays generated values over those of a package: what a package has there is a stand-in. What the record says is laid over the result. */
export function layGenerated(values: JsonObject, generated: ReadonlyMap<string, string>): JsonObject {
  return [...generated].reduce(
    (all, [path, value]) => setValue(all, parseTargetPath(path) ?? [path], value),
    values,
  );
}
