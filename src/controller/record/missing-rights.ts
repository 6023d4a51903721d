import { finding } from '../../api/finding.ts';
import { servicesAccount } from '../../api/services-account.ts';
import { compareText } from '../../base/json.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import type { ServiceTarget } from '../../package/package.ts';
import type { Refusal } from '../../package/read-packages.ts';
import { asAccount } from '../runtime/as-account.ts';

/** In whose name services are written, and where. */
export interface Writer {
  readonly namespace: string;
  readonly account: string;
}

/** Kinds whose resource is known for certain. What is asked of others would be asked in a word that may be wrong. */
const resources: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '': {
    ...{ ConfigMap: 'configmaps', Secret: 'secrets', Service: 'services', Pod: 'pods' },
    ...{ ServiceAccount: 'serviceaccounts', PersistentVolumeClaim: 'persistentvolumeclaims' },
  },
  apps: { Deployment: 'deployments', StatefulSet: 'statefulsets', DaemonSet: 'daemonsets' },
  batch: { Job: 'jobs', CronJob: 'cronjobs' },
  autoscaling: { HorizontalPodAutoscaler: 'horizontalpodautoscalers' },
  policy: { PodDisruptionBudget: 'poddisruptionbudgets' },
  'networking.k8s.io': { Ingress: 'ingresses', NetworkPolicy: 'networkpolicies' },
  'rbac.authorization.k8s.io': { Role: 'roles', RoleBinding: 'rolebindings' },
  'argoproj.io': { Workflow: 'workflows' },
};

/** Kinds that run once are only created; all others are applied. */
const runOnce: ReadonlySet<string> = new Set(['Job', 'Pod', 'Workflow']);

const api = 'authorization.k8s.io/v1';

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** One right that writing an object takes. */
interface Right {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
}

/**
 * What the account may not do of what these services need to be written, service by service, asked before anything is begun. Costs one
 * request where it may do all of it. Where the cluster does not let it ask, nothing is known to be missing.
 */
export async function missingRights(
  cluster: Cluster,
  { namespace, account }: Writer,
  targets: readonly ServiceTarget[],
): Promise<Refusal[]> {
  const own = asAccount(cluster, namespace, account);
  const needs = targets.map(target => ({ service: target.service, rights: rightsFor(target) }));
  if (needs.every(({ rights }) => rights.length === 0)) return [];
  try {
    const known = await rulesOf(own, namespace);
    const asked = new Map<string, Promise<boolean>>();
    const may = (right: Right) => {
      if (known.some(rule => covers(rule, right))) return true;
      const key = sayRight(right);
      const answer = asked.get(key) ?? ask(own, namespace, right);
      asked.set(key, answer);
      return answer;
    };
    const refused: Refusal[] = [];
    for (const { service, rights } of needs) {
      const missing: Right[] = [];
      for (const right of rights) if (!(await may(right))) missing.push(right);
      if (missing.length > 0) refused.push({ service, finding: lacks({ namespace, account }, missing) });
    }
    return refused;
  } catch (error) {
    if (isReason(error, 'Forbidden', 'NotFound')) return [];
    throw error;
  }
}

/** Objects of other namespaces are left out: which account writes there is not ours to say. */
function rightsFor({ parts }: ServiceTarget): Right[] {
  const rights = new Map<string, Right>();
  for (const { apiVersion, kind, namespace } of parts.flatMap(({ inventory }) => inventory)) {
    const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
    const resource = resources[group]?.[kind];
    if (resource === undefined || namespace !== undefined) continue;
    for (const verb of runOnce.has(kind) ? ['get', 'create'] : ['get', 'create', 'patch'])
      rights.set(`${verb} ${resource}.${group}`, { verb, group, resource });
  }
  return [...rights.values()].toSorted((a, b) => compareText(sayRight(a), sayRight(b)));
}

async function rulesOf(own: Cluster, namespace: string): Promise<readonly Rule[]> {
  const made = await own.create({
    ...{ apiVersion: api, kind: 'SelfSubjectRulesReview', metadata: {} },
    spec: { namespace },
  });
  return (made['status'] as { resourceRules?: readonly Rule[] } | undefined)?.resourceRules ?? [];
}

/** A rule for names may be for ours; nothing is created by name. */
function covers(rule: Rule, { verb, group, resource }: Right): boolean {
  const has = (list: readonly string[] | undefined, word: string) =>
    list !== undefined && (list.includes(word) || list.includes('*'));
  const isForAll = (rule.resourceNames ?? []).length === 0 || verb !== 'create';
  return isForAll && has(rule.verbs, verb) && has(rule.apiGroups, group) && has(rule.resources, resource);
}

/** Not every authorizer can list what it allows: what is not in the list is asked for by itself. */
async function ask(own: Cluster, namespace: string, right: Right): Promise<boolean> {
  const made = await own.create({
    ...{ apiVersion: api, kind: 'SelfSubjectAccessReview', metadata: {} },
    spec: { resourceAttributes: { namespace, ...right } },
  });
  return (made['status'] as { allowed?: boolean } | undefined)?.allowed === true;
}

function sayRight({ verb, group, resource }: Right): string {
  return `${verb} ${resource}${group === '' ? '' : `.${group}`}`;
}

function lacks({ namespace, account }: Writer, missing: readonly Right[]) {
  const who = `system:serviceaccount:${namespace}:${account}`;
  const message = `the account of the record, ${who}, may not ${missing.map(sayRight).join(', ')}`;
  const grant = `kubectl -n ${namespace} create rolebinding ${servicesAccount}-${account} --clusterrole=${servicesAccount} --serviceaccount=${namespace}:${account}`;
  const advice =
    account === servicesAccount
      ? `Give it the right: ${grant}`
      : `Say \`serviceAccountName: ${servicesAccount}\` in the record, an account that \`afloat install --cloud ${namespace}\` makes; or give this one the right: ${grant}`;
  return finding('ClusterForbidden', message, { field: 'spec.serviceAccountName' }, advice);
}
