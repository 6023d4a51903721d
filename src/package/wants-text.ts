import type { FieldPath } from '../api/schema/problem.ts';

/** Fields that hold a map from text to text, wherever they are in an object. */
const textMaps = new Set(['labels', 'annotations', 'matchLabels', 'nodeSelector']);

/** The same at the top of a ConfigMap or Secret. */
const topTextMaps = new Set(['data', 'stringData']);

/** Fields of a container that hold a list of texts. */
const textLists = new Set(['args', 'command']);

/**
 * Whether Kubernetes takes only text at this place of an object. A port is a number in a Service and text in an
 * environment variable; without this rule `value: "${values.port}"` would be refused by the API server.
 */
export function wantsText(path: FieldPath): boolean {
  const above = path.at(-2);
  const last = path.at(-1);
  if (typeof last === 'number') return typeof above === 'string' && textLists.has(above);
  if (last === 'value' && typeof above === 'number') return path.at(-3) === 'env';
  if (typeof above !== 'string') return false;
  return textMaps.has(above) || (path.length === 2 && topTextMaps.has(above));
}
