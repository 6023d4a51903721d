import { sameJson } from '../../../base/json.ts';
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
  // Definitions and what they define are looked after by another part of a server, which is less strict about finalizers.
  const isOfCore = !rules.isCustom && rules.kind !== 'CustomResourceDefinition';
  if (object.metadata !== before?.metadata) causes.push(...metadataCauses(object.metadata, isOfCore));
  if (rules.isCustom) causes.push(...schemaCauses(rules.schema, object, before));
  else if (rules.check && hasOtherContent(object, before)) causes.push(...rules.check(object, before));
  for (const field of rules.required) if (isAbsent(fieldOf(object, field))) causes.push(missing(field));
  if (before) causes.push(...changeCauses(rules, object, before));
  if (causes.length > 0) throw invalid(rules, object.metadata.name, causes);
}

/** What is as it was is not held against a write of something else: an older version of the program may have let it in. */
function hasOtherContent(object: Unversioned, before: Unversioned | undefined): boolean {
  if (!before) return true;
  return Object.keys(object).some(
    name => name !== 'metadata' && name !== 'status' && object[name] !== before[name],
  );
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
