import type { ClusterObject } from '../../cluster.ts';
import { fieldOf, type KindRules } from '../kinds/kind-rules.ts';
import { badRequest } from '../objects/refusals.ts';

/** Whether fields of an object have the values asked for. Throws `BadRequest` for a field the kind does not offer. */
export function fieldSelector(rules: KindRules, text: string): (object: ClusterObject) => boolean {
  const offered = ['metadata.name', 'metadata.namespace', ...rules.selectable];
  const tests = termsOf(text).map(term => {
    const [, field = '', how, value = ''] = /^(.*?)(==|=|!=)(.*)$/s.exec(term) ?? [];
    if (how === undefined) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    if (!offered.includes(field)) throw badRequest(`"${field}" is not a known field selector`);
    const wanted = unescaped(value);
    return (object: ClusterObject) => (textOf(object, field) === wanted) === (how !== '!=');
  });
  return object => tests.every(test => test(object));
}

/** The parts between commas, but for those that are escaped. */
function termsOf(text: string): string[] {
  return [...text.matchAll(/(?:\\.|[^,\\]|\\$)+/gs)].map(([term]) => term);
}

/** A comma, an equals sign and a backslash stand in a value only after a backslash, and nothing else does. */
function unescaped(value: string): string {
  if (/(^|[^\\])(\\\\)*\\([^\\,=]|$)/s.test(value))
    throw badRequest(`invalid field selector: invalid escape sequence in ${value}`);
  if (/[,=]/.test(value.replaceAll(/\\./gs, '')))
    throw badRequest(`invalid field selector: unescaped character in ${value}`);
  return value.replaceAll(/\\([\\,=])/g, '$1');
}

/** A field that is absent counts as empty. */
function textOf(object: ClusterObject, field: string): string {
  const value = fieldOf(object, field);
  // The field of this name is an object; what is meant is its component.
  if (field === 'source') return String(fieldOf(object, 'source.component') ?? '');
  return value === undefined || value === null ? '' : String(value);
}
