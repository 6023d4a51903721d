import type { ClusterObject, Selection } from '../../cluster.ts';
import type { KindRules } from '../kinds/kind-rules.ts';
import { fieldSelector } from './field-selector.ts';
import { labelSelector } from './label-selector.ts';

/** Says of an object whether it was asked for. */
export type Matches = (object: ClusterObject) => boolean;

/** The test of a selection; undefined when everything of the kind is asked for. Throws `BadRequest` for bad selectors. */
export function matcher(rules: KindRules, selection: Selection): Matches | undefined {
  const { namespace } = selection;
  const tests: Matches[] = [];
  // An empty one is all of them, as in a path.
  if (namespace && rules.isNamespaced) tests.push(object => object.metadata.namespace === namespace);
  if (selection.labelSelector) tests.push(labelSelector(selection.labelSelector));
  if (selection.fieldSelector) tests.push(fieldSelector(rules, selection.fieldSelector));
  const [only, ...more] = tests;
  if (more.length === 0) return only;
  return object => tests.every(test => test(object));
}
