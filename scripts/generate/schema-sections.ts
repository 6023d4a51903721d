import type { StructuralSchema } from '../../src/api/schema/structural-schema.ts';
import { anchorOf, table } from './markdown.ts';

/** Schemas that have a page of their own and are linked to instead of written out again. */
export type LinkedSchemas = ReadonlyMap<StructuralSchema, { readonly title: string; readonly page: string }>;

/**
 * One section for the object at `path` and one for every object below it, in the order of the schema: heading,
 * description, rules, table of fields.
 */
export function schemaSections(
  path: string,
  schema: StructuralSchema,
  linked: LinkedSchemas = new Map(),
): string[] {
  const fields = Object.entries(schema.properties ?? {});
  const required = new Set(schema.required);
  const rows = fields.map(([name, field]) => {
    const below = linked.get(field);
    const target = below ? below.page : `#${anchorOf(join(path, name, field))}`;
    const description = below ? `${field.description ?? ''} See ${below.title}.` : (field.description ?? '');
    return [
      hasSection(field) ? `[\`${name}\`](${target})` : `\`${name}\``,
      typeOf(field),
      presence(field, required.has(name)),
      limitsOf(field),
      description,
    ];
  });
  const section = [
    `${path.includes('.') || path.includes('[') ? '###' : '##'} ${path}`,
    schema.description ?? '',
    schema['x-kubernetes-preserve-unknown-fields'] ? 'Fields that are not listed are accepted.' : '',
    rulesOf(schema),
    rows.length > 0 ? table(['field', 'type', 'default', 'limits', 'what it is'], rows) : '',
  ].filter(Boolean);
  const below = fields
    .filter(([, field]) => hasSection(field) && !linked.has(field))
    .flatMap(([name, field]) => schemaSections(join(path, name, field), innermost(field), linked));
  return [section.join('\n\n'), ...below];
}

/** The schema of the items, where the field is a list or map of something; else the field itself. */
function innermost(field: StructuralSchema): StructuralSchema {
  const inner = field.items ?? (field.properties ? undefined : field.additionalProperties);
  return inner ? innermost(inner) : field;
}

function hasSection(field: StructuralSchema): boolean {
  return innermost(field).properties !== undefined;
}

function join(path: string, name: string, field: StructuralSchema): string {
  const here = path === '' ? name : `${path}.${name}`;
  if (field.items) return `${here}[]`;
  return field.additionalProperties ? `${here}.*` : here;
}

const typeWords = {
  object: 'object',
  array: 'list',
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
} as const;

function typeOf(field: StructuralSchema): string {
  if (field.items) return `list of ${typeOf(field.items)}`;
  if (field.additionalProperties && !field.properties) return `map of ${typeOf(field.additionalProperties)}`;
  if (field.enum) return field.enum.map(word => (word === '' ? 'empty' : `\`${word}\``)).join(', ');
  if (field['x-kubernetes-int-or-string']) return 'whole number or text';
  return field.type ? typeWords[field.type] : 'anything';
}

function presence(field: StructuralSchema, required: boolean): string {
  if (field.default !== undefined) return `\`${JSON.stringify(field.default)}\``;
  return required ? 'required' : '';
}

function limitsOf(field: StructuralSchema): string {
  const of = field.items ?? field.additionalProperties;
  const keys = field['x-kubernetes-list-map-keys'];
  const limits = [
    range(field.minimum, field.maximum, ''),
    range(field.minLength, field.maxLength, ' characters'),
    range(field.minItems, field.maxItems, ' items'),
    range(undefined, field.maxProperties, ' entries'),
    keys ? `unique by ${keys.map(key => `\`${key}\``).join(', ')}` : '',
    field['x-kubernetes-list-type'] === 'set' ? 'unique' : '',
    field.format ?? '',
    field.pattern ? `\`${field.pattern}\`` : '',
    of && !of.properties && limitsOf(of) ? `each ${limitsOf(of)}` : '',
  ];
  return limits.filter(Boolean).join('; ');
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (most === undefined) return least === undefined ? '' : `at least ${least}${unit}`;
  if (least === undefined) return `up to ${most}${unit}`;
  return least === most ? `${most}${unit}` : `${least} to ${most}${unit}`;
}

function rulesOf(schema: StructuralSchema): string {
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (rules.length === 0) return '';
  const lines = rules.map(({ rule, message }) => {
    const when = rule.includes('oldSelf') ? ' (on updates)' : '';
    return `- ${message}${when}: \`${rule}\``;
  });
  return ['Rules:', '', ...lines].join('\n');
}
