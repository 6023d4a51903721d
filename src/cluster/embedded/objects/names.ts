import type { FieldCause } from '../../cluster-error.ts';
import type { NameRule } from '../kinds/kind-rules.ts';
import { missing, wrong } from './refusals.ts';

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** A pattern as a server shows it: that it is of the whole text goes without saying. */
function bare({ source }: RegExp): string {
  return source.slice(1, -1);
}

/** What is wrong with a name, in words; undefined for one that is right. */
export function nameProblem(rule: NameRule, name: string): string | undefined {
  if (rule === 'path') {
    if (name === '.' || name === '..') return `may not be '${name}'`;
    return /[/%]/.test(name) ? "may not contain '/' or '%'" : undefined;
  }
  const [pattern, most] = rule === 'label' ? ([label, 63] as const) : ([subdomain, 253] as const);
  if (name.length > most) return `must be no more than ${most} characters`;
  if (pattern.test(name)) return undefined;
  return rule === 'label'
    ? `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${bare(label)}')`
    : `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${bare(subdomain)}')`;
}

/** What is wrong with the name of an object that is to be made. */
export function nameCauses(rule: NameRule, name: string, generateName: string | undefined): FieldCause[] {
  const causes: FieldCause[] = [];
  if (generateName !== undefined && generateName !== '') {
    // The end of the name is still to come, so a dash there is right; a server looks away from what is before it, too.
    const isOpen = generateName.length > 1 && generateName.endsWith('-');
    const problem = nameProblem(rule, isOpen ? `${generateName.slice(0, -2)}a` : generateName);
    if (problem) causes.push(wrong('metadata.generateName', generateName, problem));
  }
  if (name === '') return [...causes, missing('metadata.name', 'name or generateName is required')];
  const problem = nameProblem(rule, name);
  return problem ? [...causes, wrong('metadata.name', name, problem)] : causes;
}

/** Without vowels and digits that look like letters: no words come out of it. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const endingLength = 5;

/** A name from its beginning and five characters by chance. */
export function generatedName(beginning: string, random: () => number): string {
  const ending = Array.from({ length: endingLength }, () => alphabet[Math.floor(random() * alphabet.length)]);
  return `${beginning.slice(0, 63 - endingLength)}${ending.join('')}`;
}

const qualifiedName = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

const goodKeys = new Set<string>();

/** What is wrong with the key of a label or annotation, or with a finalizer. Those that are right are few, and come again and again. */
export function keyProblem(key: string): string | undefined {
  if (goodKeys.has(key)) return undefined;
  const problem = problemOfKey(key);
  if (problem === undefined) {
    if (goodKeys.size > 1000) goodKeys.clear();
    goodKeys.add(key);
  }
  return problem;
}

function problemOfKey(key: string): string | undefined {
  const slash = key.indexOf('/');
  const [prefix, name] = slash < 0 ? [undefined, key] : [key.slice(0, slash), key.slice(slash + 1)];
  if (name.includes('/')) return "a qualified name must consist of an optional prefix and '/' and a name";
  if (prefix !== undefined && nameProblem('subdomain', prefix)) return 'prefix part must be a DNS subdomain';
  if (name === '') return 'name part must be non-empty';
  if (name.length > 63) return 'name part must be no more than 63 characters';
  return qualifiedName.test(name)
    ? undefined
    : "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
}

/** What is wrong with the value of a label. */
export function labelValueProblem(value: string): string | undefined {
  if (value.length > 63) return 'must be no more than 63 characters';
  return value === '' || qualifiedName.test(value)
    ? undefined
    : "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
}
