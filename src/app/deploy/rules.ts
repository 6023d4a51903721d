import { definitionName } from '../../api/definition-schema.ts';
import { group } from '../../api/group.ts';
import { kinds } from '../../api/kinds.ts';
import { workTypes } from '../../controller/phase/work-types.ts';
import { epochName } from '../../controller/runtime/epoch.ts';

/** One rule of a role. */
export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

const read = ['get', 'list', 'watch'] as const;
const write = ['create', 'update', 'patch', 'delete'] as const;
const all = [...read, ...write] as const;

/** What the operator does with kinds that it only watches. */
export const readVerbs: readonly string[] = read;

/** What the account of a record does with the kinds of its packages. */
export const serviceVerbs: readonly string[] = all;

const ownResources = kinds.map(({ plural }) => plural);

/** The right to give a person's word: no verb of Kubernetes, asked for by our admission policies. */
export const approveVerb = 'approve';

/** The right to say what flows and phases do; the operator has it, and people do not. */
export const operateVerb = 'operate';

const rule = (apiGroup: string, resources: readonly string[], verbs: readonly string[]): Rule => ({
  apiGroups: [apiGroup],
  resources: [...resources],
  verbs: [...verbs],
});

/** What the operator does with its own kinds, and what it watches, wherever there may be clouds. */
export const operatorRules: readonly Rule[] = [
  rule(group, ownResources, all),
  rule(
    group,
    ownResources.map(name => `${name}/status`),
    ['get', 'update', 'patch'],
  ),
  // Where owners are enforced, who owns a task must be allowed to block the deletion of the owner.
  rule(
    group,
    ownResources.map(name => `${name}/finalizers`),
    ['update'],
  ),
  rule(group, ['lifecycleplans'], [operateVerb]),
  ...watchedRules(),
];

/**
 * What the operator does in a namespace with a cloud. Packages and rendered manifests are Secrets whose names are digests: rights by
 * name are not possible for `create` and `list`, so this is given namespace by namespace. Everything that is rendered is written in the
 * name of the record's account, and of what the operator itself may do there, that is the strongest.
 */
export const cloudRules: readonly Rule[] = [
  rule('', ['secrets'], ['get', 'list', 'create', 'update', 'delete']), // packages, manifests, generated values, the digest key
  rule('', ['configmaps'], ['get', 'create', 'update', 'patch']), // the index of packages
  rule('', ['events'], ['create', 'patch']), // what happened
  rule('', ['pods/log'], ['get']), // why a task failed
  rule('', ['serviceaccounts'], ['impersonate']), // the account of the record
];

/** Which schemas our kinds have here. Everybody whom the API server knows may see the same with `kubectl explain`. */
export const definitionRules: readonly Rule[] = [
  {
    ...rule('apiextensions.k8s.io', ['customresourcedefinitions'], ['get']),
    resourceNames: kinds.map(definitionName),
  },
];

/** In the namespace of the operator: who leads. */
export const leaseRules: readonly Rule[] = [
  rule('coordination.k8s.io', ['leases'], ['get', 'create', 'update']),
];

/** Where managers of the whole cluster keep their number. A name cannot limit `create`. */
export const epochRules: readonly Rule[] = [
  rule('', ['configmaps'], ['create']),
  { ...rule('', ['configmaps'], ['get', 'update']), resourceNames: [epochName] },
];

const everyService: readonly Rule[] = [
  rule('', ['configmaps', 'secrets', 'services', 'serviceaccounts', 'pods'], all),
  rule('', ['events'], read), // why a task cannot finish
  rule('discovery.k8s.io', ['endpointslices'], read), // who gets traffic
  rule('batch', ['jobs', 'cronjobs'], all),
  rule('policy', ['poddisruptionbudgets'], all),
  rule('networking.k8s.io', ['ingresses', 'networkpolicies'], all),
  rule('autoscaling', ['horizontalpodautoscalers'], all),
  // An API server lets nobody give away more than he has.
  rule('rbac.authorization.k8s.io', ['roles', 'rolebindings'], all),
  waitingPods(),
  rule('apps', ['replicasets', 'controllerrevisions'], read),
];

/**
 * What charts in openstack-helm's style give to pods that wait for others: to look at each of these in each of these groups, whether or not
 * there is such a thing. Most of it the account has anyway; who gives such a rule away must have all of it.
 */
function waitingPods(): Rule {
  return {
    apiGroups: ['', 'extensions', 'batch', 'apps', 'discovery.k8s.io'],
    resources: ['services', 'endpoints', 'endpointslices', 'jobs', 'pods', 'daemonsets', 'secrets'],
    verbs: ['get', 'list'],
  };
}

/** What the account of a record needs, by the tier of its services. */
export const serviceRules: Readonly<
  Record<'infrastructure' | 'controlplane' | 'dataplane', readonly Rule[]>
> = {
  infrastructure: [
    ...everyService,
    rule('apps', ['deployments', 'statefulsets'], all),
    rule('', ['persistentvolumeclaims'], all),
  ],
  controlplane: [...everyService, rule('apps', ['deployments'], all)],
  dataplane: [...everyService, rule('apps', ['daemonsets', 'deployments'], all)],
};

/** The same for a record with services of every tier. */
export const allServiceRules: readonly Rule[] = [
  ...everyService,
  rule('apps', ['deployments', 'statefulsets', 'daemonsets'], all),
  rule('', ['persistentvolumeclaims'], all),
];

/** What it needs beside that where its packages run Argo Workflows. Nobody has it unless it is bound. */
export const workflowRules: readonly Rule[] = [
  rule('argoproj.io', ['workflows', 'workflowtemplates', 'cronworkflows'], all),
  // The executor beside each step writes its results: its Role is the package's, and nobody gives away more than he has.
  rule('argoproj.io', ['workflowtaskresults'], ['create', 'patch']),
];

/** What people need, by what they do. */
export const personRules = {
  view: [
    rule(group, ownResources, read),
    rule('', ['pods', 'pods/log', 'services', 'events'], ['get', 'list', 'watch']),
    rule('apps', ['deployments', 'replicasets', 'statefulsets', 'daemonsets'], read),
    rule('batch', ['jobs', 'cronjobs'], read),
  ],
  /** Writes records, brings their packages, steers; starts nothing that waits for approval. */
  edit: [
    rule(group, ['openstackdeployments'], all),
    rule(group, ['lifecycleplans', 'oslcs'], [...read, 'create', 'update', 'patch']),
    rule('', ['secrets'], ['get', 'create', 'delete']),
    rule('', ['configmaps'], ['get', 'create', 'patch']),
  ],
  approve: [
    rule(group, ['lifecycleplans'], [...read, 'update', 'patch', approveVerb]),
    rule(group, ['oslcs'], [...read, 'update', 'patch']),
  ],
} as const satisfies Record<string, readonly Rule[]>;

function watchedRules(): Rule[] {
  const groups = new Map<string, string[]>();
  for (const { apiVersion, kind } of workTypes) {
    const of = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
    // Every kind that is followed has a regular plural.
    groups.set(of, [...(groups.get(of) ?? []), `${kind.toLowerCase()}s`]);
  }
  return [...groups].map(([of, resources]) => rule(of, resources, read));
}
