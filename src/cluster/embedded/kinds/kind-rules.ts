import type { StructuralSchema } from '../../../api/schema/structural-schema.ts';
import type { ClusterObject } from '../../cluster.ts';
import type { FieldCause } from '../../cluster-error.ts';
import type { Unversioned } from '../store/transaction.ts';

/** How names of a kind are built. */
export type NameRule = 'subdomain' | 'label' | 'path';

/** Everything that makes one kind different from another. */
export interface KindRules {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
  /** Of the whole object; the metadata in it is looked after apart. */
  readonly schema: StructuralSchema;
  /** Came from a CustomResourceDefinition: a wrong value is then `Invalid`; for the others a wrong type is `BadRequest`. */
  readonly isCustom: boolean;
  /** The status is written apart from the rest. */
  readonly hasStatus: boolean;
  /** `metadata.generation` counts the changes of what is asked for. */
  readonly hasGeneration: boolean;
  readonly nameRule: NameRule;
  /** An update may leave out the version it is meant for. */
  readonly mayUpdateBlindly: boolean;
  /** An update of what is not there creates it. */
  readonly createsOnUpdate: boolean;
  /** What becomes of dependents when a deletion does not say. */
  readonly propagation: 'Background' | 'Orphan';
  /** The fields besides name and namespace that a field selector may name. */
  readonly selectable: readonly string[];
  /** Fields, as `spec.selector`, that keep their value for ever. */
  readonly immutable: readonly string[];
  /** Fields that must be there. */
  readonly required: readonly string[];
  /** Fields that hold bytes in base64; what is none cannot be read. */
  readonly encoded: readonly string[];
  /** What `prepare` fills in is the server's, not the writer's. */
  readonly keepsPrepared: boolean;
  /** What is wrong with an object of the kind beyond types and what is listed above; after `prepare`. */
  readonly check?:
    | ((object: Unversioned, before: Unversioned | undefined) => readonly FieldCause[])
    | undefined;
  /** Fills in what depends on other fields, at a create (`before` absent) and at an update. */
  readonly prepare?: ((object: Unversioned, before: Unversioned | undefined) => Unversioned) | undefined;
}

/** What a manifest of the kind says in `apiVersion`. */
export function apiVersionOf(rules: KindRules): string {
  return namesOf(rules).apiVersion;
}

/** The name under which the objects of a kind are kept. */
export function storeKindOf(rules: KindRules): string {
  return namesOf(rules).storeKind;
}

interface Names {
  readonly apiVersion: string;
  readonly storeKind: string;
}

/** Every write asks for them several times, and looks things up by them: text that is put together anew is slow to look up. */
const names = new WeakMap<KindRules, Names>();

function namesOf(rules: KindRules): Names {
  const known = names.get(rules);
  if (known) return known;
  const { group, version, kind } = rules;
  const made = { apiVersion: group === '' ? version : `${group}/${version}`, storeKind: `${group}/${kind}` };
  names.set(rules, made);
  return made;
}

/** The name of the resource in messages: `configmaps`, `deployments.apps`. */
export function resourceOf({ group, plural }: Pick<KindRules, 'group' | 'plural'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/** The group of an `apiVersion`. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/** A field by its path; undefined where it or something above it is absent. */
export function fieldOf(object: ClusterObject | Unversioned, path: string): unknown {
  let value: unknown = object;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
