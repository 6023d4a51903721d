import type { StructuralSchema } from '../../../api/schema/structural-schema.ts';
import { isObject, type Json } from '../../../base/json.ts';

/**
 * The value without lists and maps that are empty: a server keeps built-in kinds in types of its language, which do not
 * tell empty from absent. An empty object with fields of its own, such as `emptyDir: {}`, says something and stays.
 */
export function dropEmpty(schema: StructuralSchema | undefined, value: Json): Json {
  if (!schema) return value;
  if (Array.isArray(value)) {
    const kept = value.map((item: Json) => dropEmpty(schema.items, item));
    return kept.every((item, index) => item === value[index]) ? value : kept;
  }
  if (!isObject(value)) return value;
  let kept: Record<string, Json> | undefined;
  for (const name of Object.keys(value)) {
    const item = value[name] as Json;
    const field = schema.properties?.[name];
    const part =
      field && saysNothing(field, item) ? undefined : dropEmpty(field ?? schema.additionalProperties, item);
    if (part === item) continue;
    kept ??= { ...value };
    if (part === undefined) delete kept[name];
    else kept[name] = part;
  }
  return kept ?? value;
}

function saysNothing(schema: StructuralSchema, value: Json): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && schema.additionalProperties !== undefined && Object.keys(value).length === 0;
}
