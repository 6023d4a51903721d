import type { Json } from '../../../base/json.ts';
import type { KindRules } from '../kinds/kind-rules.ts';
import { dropEmpty } from './drop-empty.ts';

/** What a server keeps of an object: all of it, but for what is empty in built-in kinds. */
export function keptContent<T extends object>(rules: KindRules, object: T): T {
  if (rules.isCustom) return object;
  let kept: Record<string, Json> | undefined;
  for (const [name, value] of Object.entries(object as Record<string, Json>)) {
    if (name === 'metadata') continue;
    const part = dropEmpty(
      { properties: { [name]: rules.schema.properties?.[name] ?? {} } },
      { [name]: value },
    );
    const left = (part as Record<string, Json>)[name];
    if (left === value) continue;
    kept ??= { ...(object as Record<string, Json>) };
    if (left === undefined) delete kept[name];
    else kept[name] = left;
  }
  return (kept as T | undefined) ?? object;
}
