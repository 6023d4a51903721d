import { isObject, sameJson } from '../../../base/json.ts';
import type { FieldCause } from '../../cluster-error.ts';
import { fieldOf, type KindRules } from '../kinds/kind-rules.ts';
import { metadataCauses } from '../objects/metadata.ts';
import { invalid, missing, notAllowed, wrong } from '../objects/refusals.ts';
import { schemaCauses } from '../objects/schema-causes.ts';
import type { Unversioned } from '../store/transaction.ts';

/** Refuses an object that is not right, with every field that is wrong. `before` is what an update replaces. */
export function checkObject(
  rules: KindRules,
  object: Unversioned,
  before: Unversioned | undefined,
  more: readonly FieldCause[] = [],
): void {
  const causes = [...more];
  if (object.metadata !== before?.metadata) causes.push(...metadataCauses(object.metadata));
  if (rules.isCustom) causes.push(...schemaCauses(rules.schema, object, before));
  else causes.push(...contentCauses(rules, object));
  for (const field of rules.required) if (isAbsent(fieldOf(object, field))) causes.push(missing(field));
  if (before) causes.push(...changeCauses(rules, object, before));
  if (causes.length > 0) throw invalid(rules, object.metadata.name, causes);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

function changeCauses(rules: KindRules, object: Unversioned, before: Unversioned): FieldCause[] {
  const causes = rules.immutable
    .filter(field => !sameField(fieldOf(object, field), fieldOf(before, field)))
    .map(field => wrong(field, fieldOf(object, field), 'field is immutable'));
  const added = (object.metadata.finalizers ?? []).filter(one => !before.metadata.finalizers?.includes(one));
  if (before.metadata.deletionTimestamp !== undefined && added.length > 0) {
    const why = 'no new finalizers can be added if the object is being deleted, found new finalizers';
    causes.push(notAllowed('metadata.finalizers', `${why} ${added.join(', ')}`));
  }
  return [...causes, ...lockedCauses(object, before)];
}

/** ConfigMaps and Secrets can be locked for good. */
function lockedCauses(object: Unversioned, before: Unversioned): FieldCause[] {
  if (before['immutable'] !== true) return [];
  return ['data', 'binaryData', 'immutable']
    .filter(field => !sameField(object[field], before[field]))
    .map(field => notAllowed(field, 'field is immutable when `immutable` is set'));
}

function sameField(a: unknown, b: unknown): boolean {
  return a === b || (a !== undefined && b !== undefined && sameJson(a, b));
}

const dataKey = /^[-._a-zA-Z0-9]+$/;

/** What built-in kinds demand beyond types: only what other parts of Afloat lean on. */
function contentCauses(rules: KindRules, object: Unversioned): FieldCause[] {
  if (rules.kind === 'CustomResourceDefinition') return crdCauses(object);
  if (rules.kind !== 'ConfigMap' && rules.kind !== 'Secret') return [];
  return ['data', 'binaryData'].flatMap(field => {
    const data = object[field];
    return Object.keys(isObject(data) ? data : {})
      .filter(key => !dataKey.test(key) || key.length > 253 || key === '.' || key === '..')
      .map(key =>
        wrong(
          `${field}[${key}]`,
          key,
          'a valid config key must consist of alphanumeric characters, -, _ or .',
        ),
      );
  });
}

function crdCauses(object: Unversioned): FieldCause[] {
  const wanted = `${fieldOf(object, 'spec.names.plural')}.${fieldOf(object, 'spec.group')}`;
  if (object.metadata.name === wanted) return [];
  return [wrong('metadata.name', object.metadata.name, `must be spec.names.plural+"."+spec.group`)];
}
