import { stringify } from 'yaml';

/** A value as JSON or YAML, for programs. The order of keys is the order they were made in. */
export function structured(value: unknown, format: 'json' | 'yaml'): string {
  if (format === 'json') return `${JSON.stringify(value, undefined, 2)}\n`;
  // JSON first: what JSON leaves out (undefined, functions) must not reach YAML either.
  return stringify(JSON.parse(JSON.stringify(value)), { aliasDuplicateObjects: false, lineWidth: 0 });
}

/** True for the formats that are made for programs. */
export function isStructured(format: unknown): format is 'json' | 'yaml' {
  return format === 'json' || format === 'yaml';
}
