import { type Finding, finding, findingOf } from '../api/finding.ts';
import { apiVersion, group } from '../api/group.ts';
import { type Kind, objectSchema } from '../api/kind.ts';
import { findKind, kinds } from '../api/kinds.ts';
import { applyDefaults } from '../api/schema/defaults.ts';
import type { FieldPath, Problem } from '../api/schema/problem.ts';
import { integer, map, object, optional, text } from '../api/schema/schema.ts';
import type { StructuralSchema } from '../api/schema/structural-schema.ts';
import { validate } from '../api/schema/validate.ts';
import { didYouMean } from '../base/did-you-mean.ts';
import { isObject } from '../base/json.ts';
import { valueAt } from './draft.ts';
import type { Manifest } from './parse-yaml.ts';
import { placeOf } from './place-of.ts';

const dnsLabel = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

/** What an API server asks of the metadata of any object; everything else in there is its own business. */
const metadata = object(
  'Metadata of an object.',
  {
    name: text('Its name.', { max: 253, min: 1, pattern: `^${dnsLabel}(\\.${dnsLabel})*$` }),
    namespace: optional(text('Its namespace.', { max: 63, min: 1, pattern: `^${dnsLabel}$` })),
    labels: optional(map('Labels.', text('A label.', { max: 63 }), { max: 1024 })),
    annotations: optional(map('Annotations.', text('An annotation.', { max: 262144 }), { max: 1024 })),
    generation: optional(integer('Counts changes of the spec.', { min: 0, max: Number.MAX_SAFE_INTEGER })),
  },
  { keepsUnknown: true },
);

/** The kind of a manifest when it is one of ours, at the version that is served. */
export function kindOf(manifest: Manifest): Kind | undefined {
  const { apiVersion: written, kind } = manifest.object;
  return written === apiVersion && typeof kind === 'string' ? findKind(kind) : undefined;
}

/**
 * Everything that is wrong with a manifest by itself, each at its place. A manifest of another group is none of our
 * business and has no findings, unless its group looks like a slip of ours.
 */
export function validateManifest(manifest: Manifest): Finding[] {
  const kind = kindOf(manifest);
  if (!kind) return kindFindings(manifest);
  const schema = schemaOf(kind);
  // Rules that span fields read fields by their defaults, as on an API server.
  const problems = validate(schema, applyDefaults(schema, manifest.object));
  return problems.map(problem => problemFinding(manifest, schema, problem));
}

/**
 * Fields that the kind of a manifest does not know and yet keeps, because manifests written for the earlier operator
 * carry some: warnings, not refusals.
 */
export function unknownFields(manifest: Manifest): Finding[] {
  const kind = kindOf(manifest);
  if (!kind) return [];
  return [...keptFields(kind.spec.json, manifest.object['spec'], ['spec'])].map(({ path, candidates }) => {
    const written = String(path.at(-1));
    const near = didYouMean(written, candidates);
    const advice = near ? `Did you mean \`${near}\`?` : undefined;
    return finding('FieldUnknown', `${written} is ignored`, placeOf(manifest, path, 'key'), advice);
  });
}

interface KeptField {
  readonly path: FieldPath;
  readonly candidates: readonly string[];
}

function* keptFields(schema: StructuralSchema, value: unknown, path: FieldPath): Generator<KeptField> {
  const { properties, items } = schema;
  if (Array.isArray(value) && items) {
    for (const [index, item] of value.entries()) yield* keptFields(items, item, [...path, index]);
  }
  if (!isObject(value) || !properties) return;
  for (const [name, item] of Object.entries(value)) {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (field) yield* keptFields(field, item, [...path, name]);
    else if (schema['x-kubernetes-preserve-unknown-fields']) {
      yield { path: [...path, name], candidates: Object.keys(properties) };
    }
  }
}

function schemaOf(kind: Kind): StructuralSchema {
  const schema = objectSchema(kind);
  return { ...schema, properties: { ...schema.properties, metadata: { ...metadata.json, default: {} } } };
}

function problemFinding(manifest: Manifest, schema: StructuralSchema, problem: Problem): Finding {
  const part = problem.code === 'FieldUnknown' ? 'key' : 'value';
  const found = findingOf(problem, placeOf(manifest, problem.path, part));
  // By far the most frequent slip: a version without quotes is a number to YAML, and 22.10 becomes 22.1.
  const isBareScalar = ['number', 'boolean'].includes(typeof valueAt(manifest.object, problem.path));
  if (problem.code !== 'FieldType' || !isBareScalar || typeAt(schema, problem.path) !== 'string')
    return found;
  return { ...found, advice: 'Put the value in quotes, so that it is text.' };
}

function typeAt(schema: StructuralSchema, path: FieldPath): StructuralSchema['type'] {
  let at: StructuralSchema | undefined = schema;
  for (const step of path) {
    at = typeof step === 'number' ? at?.items : (at?.properties?.[step] ?? at?.additionalProperties);
  }
  return at?.type;
}

/** A manifest that is none of our kinds: somebody else's, or meant to be ours and misspelt. */
function kindFindings(manifest: Manifest): Finding[] {
  const missing = ['apiVersion', 'kind'].filter(field => typeof manifest.object[field] !== 'string');
  if (missing.length > 0) {
    return missing.map(field => {
      const isThere = Object.hasOwn(manifest.object, field);
      const message = isThere ? `${field} must be text` : `${field} is missing`;
      return finding(isThere ? 'FieldType' : 'FieldMissing', message, placeOf(manifest, [field]));
    });
  }
  const written = String(manifest.object['apiVersion']);
  const kind = String(manifest.object['kind']);
  const isOurGroup = written.split('/', 1)[0] === group;
  if (!isOurGroup && didYouMean(written, [apiVersion]) === undefined) return [];
  const findings: Finding[] = [];
  if (written !== apiVersion) {
    const message = isOurGroup
      ? `there is no version "${written}" of our group`
      : `there is no group "${written}"`;
    const place = placeOf(manifest, ['apiVersion']);
    findings.push(finding('KindUnknown', message, place, `Did you mean \`${apiVersion}\`?`));
  }
  if (!findKind(kind)) {
    const names = kinds.map(known => known.kind);
    const near = didYouMean(kind, names);
    const advice = near ? `Did you mean \`${near}\`?` : `Our kinds are ${names.join(', ')}.`;
    findings.push(finding('KindUnknown', `there is no kind "${kind}"`, placeOf(manifest, ['kind']), advice));
  }
  return findings;
}
