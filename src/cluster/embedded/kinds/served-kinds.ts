import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { StoredObject } from '../../cluster.ts';
import type { ServedKind } from '../../served-kind.ts';
import type { KindRules } from './kind-rules.ts';

/** The short names that people know the built-in kinds by, and whether `all` means them. */
const shortNames: Readonly<Record<string, readonly string[]>> = {
  configmaps: ['cm'],
  controllerrevisions: [],
  cronjobs: ['cj'],
  customresourcedefinitions: ['crd', 'crds'],
  daemonsets: ['ds'],
  deployments: ['deploy'],
  endpoints: ['ep'],
  events: ['ev'],
  ingresses: ['ing'],
  namespaces: ['ns'],
  networkpolicies: ['netpol'],
  nodes: ['no'],
  persistentvolumeclaims: ['pvc'],
  persistentvolumes: ['pv'],
  poddisruptionbudgets: ['pdb'],
  pods: ['po'],
  priorityclasses: ['pc'],
  replicasets: ['rs'],
  serviceaccounts: ['sa'],
  services: ['svc'],
  statefulsets: ['sts'],
  storageclasses: ['sc'],
};

const ofAll: readonly string[] = [
  'pods',
  'services',
  'deployments',
  'replicasets',
  'statefulsets',
  'daemonsets',
  'jobs',
  'cronjobs',
];

/** A built-in kind, with the names that every cluster gives it. */
export function servedBuiltin(rules: KindRules): ServedKind {
  const { plural, kind } = rules;
  return {
    ...facts(rules),
    singular: kind.toLowerCase(),
    shortNames: shortNames[plural] ?? [],
    categories: ofAll.includes(plural) ? ['all'] : [],
    // Made when somebody asks: most never are.
    get schema() {
      return rules.schema;
    },
  };
}

/** One version of a kind that a definition brings, with the names it gives. */
export function servedCustom(rules: KindRules, definition: StoredObject): ServedKind {
  const spec = objectAt(definition as unknown as JsonObject, 'spec');
  const names = objectAt(spec, 'names');
  const { singular } = names;
  const versions = Array.isArray(spec['versions']) ? spec['versions'].filter(isObject) : [];
  return {
    ...facts(rules),
    singular: typeof singular === 'string' && singular !== '' ? singular : rules.kind.toLowerCase(),
    shortNames: textsIn(names['shortNames']),
    categories: textsIn(names['categories']),
    definedBy: versions.find(({ name }) => name === rules.version) ?? {},
  };
}

function facts({ group, version, kind, plural, isNamespaced, hasStatus }: KindRules) {
  return { group, version, kind, plural, isNamespaced, hasStatus };
}

function objectAt(value: JsonObject, name: string): JsonObject {
  const below = value[name];
  return isObject(below) ? below : {};
}

function textsIn(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter(one => typeof one === 'string') : [];
}
