import type { ClusterObject } from '../../cluster/cluster.ts';
import { clusterHome } from '../../controller/runtime/epoch.ts';
import { type ExtraRights, workflowRights } from './custom-kinds.ts';
import { cloudRoleName, definitionsName, deployLabels, operatorName, servicesName } from './deploy-names.ts';
import {
  allServiceRules,
  cloudRules,
  definitionRules,
  epochRules,
  leaseRules,
  operatorRules,
  personRules,
  type Rule,
  serviceRules,
} from './rules.ts';

const type = 'rbac.authorization.k8s.io/v1';
const api = 'rbac.authorization.k8s.io';

/** Where the operator is, and what it looks after. */
export interface OperatorPlace {
  /** The namespace of the operator. */
  readonly namespace: string;
  /** It looks after this namespace only, and has rights nowhere else. */
  readonly watch?: string;
  /** It gets the rights for a cloud in every namespace. */
  readonly everywhere?: boolean;
}

/** The roles that are the same wherever the operator is. */
export function clusterRoles(): readonly ClusterObject[] {
  return [
    clusterRole(operatorName, operatorRules),
    clusterRole(cloudRoleName, cloudRules),
    clusterRole(definitionsName, definitionRules),
    clusterRole(servicesName, allServiceRules),
    ...Object.entries(serviceRules).map(([tier, rules]) => clusterRole(`${servicesName}-${tier}`, rules)),
    clusterRole(workflowRights.services.name, workflowRights.services.rules),
    ...Object.entries(personRules).map(([does, rules]) => clusterRole(`afloat-${does}`, rules)),
  ];
}

/** Everybody may read the definitions of our kinds: an operator of one namespace and people have no other right over the whole cluster. */
export function definitionReaders(): ClusterObject {
  const everybody = { apiGroup: api, kind: 'Group', name: 'system:authenticated' };
  return clusterBinding(definitionsName, definitionsName, everybody);
}

/** The account of the operator and what it is bound to, but for its clouds. */
export function operatorAccess({ namespace, watch, everywhere }: OperatorPlace): readonly ClusterObject[] {
  const who = { kind: 'ServiceAccount', name: operatorName, namespace };
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: named(operatorName, namespace) };
  if (watch !== undefined)
    return [
      account,
      role(operatorName, watch, leaseRules),
      binding(operatorName, watch, 'Role', operatorName, who),
      binding(`${operatorName}-kinds`, watch, 'ClusterRole', operatorName, who),
    ];
  return [
    account,
    role(operatorName, namespace, leaseRules),
    binding(operatorName, namespace, 'Role', operatorName, who),
    role(`${operatorName}-number`, clusterHome, epochRules),
    binding(`${operatorName}-number`, clusterHome, 'Role', `${operatorName}-number`, who),
    clusterBinding(operatorName, operatorName, who),
    ...(everywhere ? [clusterBinding(cloudRoleName, cloudRoleName, who)] : []),
  ];
}

/** What a namespace needs so that a cloud can be in it: the operator's rights there, and an account for its record. */
export function cloudAccess(
  cloud: string,
  operator: Pick<OperatorPlace, 'namespace'>,
): readonly ClusterObject[] {
  const who = { kind: 'ServiceAccount', name: operatorName, namespace: operator.namespace };
  const services = { kind: 'ServiceAccount', name: servicesName, namespace: cloud };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: named(servicesName, cloud) },
    binding(cloudRoleName, cloud, 'ClusterRole', cloudRoleName, who),
    binding(servicesName, cloud, 'ClusterRole', servicesName, services),
  ];
}

/** The roles of rights that were asked for, but for those that are there anyway. */
export function extraRoles({ services, operator }: ExtraRights): readonly ClusterObject[] {
  return [
    ...(services.isReadyMade ? [] : [clusterRole(services.name, services.rules)]),
    clusterRole(operator.name, operator.rules),
  ];
}

/** Gives the operator its part of such rights, wherever it looks. */
export function extraOperatorAccess(
  { operator }: ExtraRights,
  { namespace, watch }: OperatorPlace,
): readonly ClusterObject[] {
  const who = { kind: 'ServiceAccount', name: operatorName, namespace };
  return watch === undefined
    ? [clusterBinding(operator.name, operator.name, who)]
    : [binding(operator.name, watch, 'ClusterRole', operator.name, who)];
}

/** Gives the account of records in a namespace its part of them. */
export function extraCloudAccess({ services }: ExtraRights, cloud: string): readonly ClusterObject[] {
  const who = { kind: 'ServiceAccount', name: servicesName, namespace: cloud };
  return [binding(services.name, cloud, 'ClusterRole', services.name, who)];
}

function named(name: string, namespace?: string) {
  return { name, ...(namespace === undefined ? {} : { namespace }), labels: deployLabels };
}

function clusterRole(name: string, rules: readonly Rule[]): ClusterObject {
  return { apiVersion: type, kind: 'ClusterRole', metadata: named(name), rules };
}

function role(name: string, namespace: string, rules: readonly Rule[]): ClusterObject {
  return { apiVersion: type, kind: 'Role', metadata: named(name, namespace), rules };
}

function binding(
  name: string,
  namespace: string,
  kind: 'Role' | 'ClusterRole',
  to: string,
  who: object,
): ClusterObject {
  const roleRef = { apiGroup: api, kind, name: to };
  return {
    apiVersion: type,
    kind: 'RoleBinding',
    metadata: named(name, namespace),
    roleRef,
    subjects: [who],
  };
}

function clusterBinding(name: string, to: string, who: object): ClusterObject {
  const roleRef = { apiGroup: api, kind: 'ClusterRole', name: to };
  return { apiVersion: type, kind: 'ClusterRoleBinding', metadata: named(name), roleRef, subjects: [who] };
}
