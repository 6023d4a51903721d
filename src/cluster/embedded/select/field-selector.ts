import type { ClusterObject } from '../../cluster.ts';
import { fieldOf, type KindRules } from '../kinds/kind-rules.ts';
import { badRequest } from '../objects/refusals.ts';

/** Whether fields of an object have the values asked for. Throws `BadRequest` for a field the kind does not offer. */
export function fieldSelector(rules: KindRules, text: string): (object: ClusterObject) => boolean {
  const offered = ['metadata.name', 'metadata.namespace', ...rules.selectable];
  const tests = text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
    .map(part => {
      const [, field = '', how, value = ''] = /^(.*?)(==|=|!=)(.*)$/.exec(part) ?? [];
      if (how === undefined) throw badRequest(`invalid field selector "${text}": can't understand "${part}"`);
      if (!offered.includes(field)) throw badRequest(`field label not supported: ${field}`);
      const wanted = value.replace(/\\([\\,=])/g, '$1');
      return (object: ClusterObject) => (textOf(object, field) === wanted) === (how !== '!=');
    });
  return object => tests.every(test => test(object));
}

/** A field that is absent counts as empty. */
function textOf(object: ClusterObject, field: string): string {
  const value = fieldOf(object, field);
  // The field of this name is an object; what is meant is its component.
  if (field === 'source') return String(fieldOf(object, 'source.component') ?? '');
  return value === undefined || value === null ? '' : String(value);
}
