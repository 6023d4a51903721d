import { builtinSchema } from './builtin-schema.ts';
import { checkCrd } from './check-crd.ts';
import { checkPod } from './check-pod.ts';
import { checkConfigMap, checkPvc, checkSecret, checkService } from './check-small.ts';
import { checkCronJob, checkJob, checkWorkload } from './check-workload.ts';
import type { KindRules } from './kind-rules.ts';
import { prepareCrd } from './prepare-crd.ts';
import { prepareJob } from './prepare-job.ts';
import { preparePod, preparePodTemplate } from './prepare-pod.ts';
import { prepareNamespace, preparePvc, prepareSecret, prepareService } from './prepare-small.ts';
import { prepareDaemonSet, prepareDeployment, prepareStatefulSet } from './prepare-strategy.ts';

/** What is said of a built-in kind where it is not as most are. */
type Facts = Partial<Omit<KindRules, 'group' | 'version' | 'kind' | 'plural' | 'schema' | 'isCustom'>>;

/** Most are namespaced, have neither status nor generation, and take a blind update. */
const usual: Required<Omit<Facts, 'prepare' | 'check'>> = {
  isNamespaced: true,
  hasStatus: false,
  hasGeneration: false,
  nameRule: 'subdomain',
  mayUpdateBlindly: true,
  createsOnUpdate: false,
  propagation: 'Background',
  selectable: [],
  immutable: [],
  required: [],
  encoded: [],
  keepsPrepared: false,
};

/** `spec` is asked for, `status` is reported: what controllers work on. */
const spec = { hasStatus: true, hasGeneration: true } as const;
const cluster = { isNamespaced: false } as const;
const selected = ['spec.selector', 'spec.template'] as const;
const role = { nameRule: 'path', createsOnUpdate: true } as const;
const binding = { ...role, immutable: ['roleRef'], required: ['roleRef.name'] } as const;

const involved = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
const eventFields = [
  ...involved.map(name => `involvedObject.${name}`),
  'reason',
  'reportingComponent',
  'source',
  'type',
];
const podFields = [
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.schedulerName',
  'spec.serviceAccountName',
].concat(['spec.hostNetwork', 'status.phase', 'status.podIP', 'status.nominatedNodeName']);

/** Group and version, the name of the type there, kind, plural, facts. */
const table: readonly (readonly [
  apiVersion: string,
  types: string,
  kind: string,
  plural: string,
  facts: Facts,
])[] = [
  [
    'v1',
    'core.v1',
    'Namespace',
    'namespaces',
    {
      ...cluster,
      hasStatus: true,
      nameRule: 'label',
      selectable: ['status.phase'],
      keepsPrepared: true,
      prepare: prepareNamespace,
    },
  ],
  ['v1', 'core.v1', 'Node', 'nodes', { ...cluster, hasStatus: true, selectable: ['spec.unschedulable'] }],
  [
    'v1',
    'core.v1',
    'Pod',
    'pods',
    { ...spec, selectable: podFields, required: ['spec.containers'], prepare: preparePod, check: checkPod },
  ],
  [
    'v1',
    'core.v1',
    'Service',
    'services',
    {
      hasStatus: true,
      nameRule: 'label',
      createsOnUpdate: true,
      selectable: ['spec.clusterIP', 'spec.type'],
      prepare: prepareService,
      check: checkService,
    },
  ],
  ['v1', 'core.v1', 'Endpoints', 'endpoints', { createsOnUpdate: true }],
  ['v1', 'core.v1', 'ConfigMap', 'configmaps', { encoded: ['binaryData'], check: checkConfigMap }],
  [
    'v1',
    'core.v1',
    'Secret',
    'secrets',
    {
      selectable: ['type'],
      immutable: ['type'],
      encoded: ['data'],
      prepare: prepareSecret,
      check: checkSecret,
    },
  ],
  ['v1', 'core.v1', 'ServiceAccount', 'serviceaccounts', {}],
  ['v1', 'core.v1', 'Event', 'events', { createsOnUpdate: true, selectable: eventFields }],
  ['v1', 'core.v1', 'PersistentVolume', 'persistentvolumes', { ...cluster, hasStatus: true }],
  [
    'v1',
    'core.v1',
    'PersistentVolumeClaim',
    'persistentvolumeclaims',
    { hasStatus: true, prepare: preparePvc, check: checkPvc },
  ],
  [
    'apps/v1',
    'apps.v1',
    'Deployment',
    'deployments',
    {
      ...spec,
      immutable: ['spec.selector'],
      required: selected,
      prepare: prepareDeployment,
      check: checkWorkload,
    },
  ],
  [
    'apps/v1',
    'apps.v1',
    'ReplicaSet',
    'replicasets',
    {
      ...spec,
      immutable: ['spec.selector'],
      required: ['spec.selector'],
      selectable: ['status.replicas'],
      prepare: preparePodTemplate,
      check: checkWorkload,
    },
  ],
  [
    'apps/v1',
    'apps.v1',
    'StatefulSet',
    'statefulsets',
    {
      ...spec,
      immutable: [
        'spec.selector',
        'spec.serviceName',
        'spec.podManagementPolicy',
        'spec.volumeClaimTemplates',
      ],
      required: selected,
      prepare: prepareStatefulSet,
      check: checkWorkload,
    },
  ],
  [
    'apps/v1',
    'apps.v1',
    'DaemonSet',
    'daemonsets',
    {
      ...spec,
      immutable: ['spec.selector'],
      required: selected,
      prepare: prepareDaemonSet,
      check: checkWorkload,
    },
  ],
  ['apps/v1', 'apps.v1', 'ControllerRevision', 'controllerrevisions', { immutable: ['data'] }],
  [
    'batch/v1',
    'batch.v1',
    'Job',
    'jobs',
    {
      ...spec,
      propagation: 'Orphan',
      immutable: ['spec.selector', 'spec.completionMode', 'spec.completions'],
      required: ['spec.template'],
      selectable: ['status.successful'],
      keepsPrepared: true,
      prepare: prepareJob,
      check: checkJob,
    },
  ],
  [
    'batch/v1',
    'batch.v1',
    'CronJob',
    'cronjobs',
    {
      ...spec,
      required: ['spec.schedule', 'spec.jobTemplate'],
      prepare: preparePodTemplate,
      check: checkCronJob,
    },
  ],
  [
    'coordination.k8s.io/v1',
    'coordination.v1',
    'Lease',
    'leases',
    { mayUpdateBlindly: false, createsOnUpdate: true },
  ],
  [
    'discovery.k8s.io/v1',
    'discovery.v1',
    'EndpointSlice',
    'endpointslices',
    { hasGeneration: true, immutable: ['addressType'], required: ['addressType'] },
  ],
  [
    'events.k8s.io/v1',
    'events.v1',
    'Event',
    'events',
    {
      createsOnUpdate: true,
      selectable: [
        'regarding.kind',
        'regarding.name',
        'regarding.namespace',
        'regarding.uid',
        'reason',
        'reportingController',
        'type',
      ],
    },
  ],
  ['rbac.authorization.k8s.io/v1', 'rbac.v1', 'Role', 'roles', role],
  ['rbac.authorization.k8s.io/v1', 'rbac.v1', 'RoleBinding', 'rolebindings', binding],
  ['rbac.authorization.k8s.io/v1', 'rbac.v1', 'ClusterRole', 'clusterroles', { ...role, ...cluster }],
  [
    'rbac.authorization.k8s.io/v1',
    'rbac.v1',
    'ClusterRoleBinding',
    'clusterrolebindings',
    { ...binding, ...cluster },
  ],
  ['networking.k8s.io/v1', 'networking.v1', 'NetworkPolicy', 'networkpolicies', { hasGeneration: true }],
  ['networking.k8s.io/v1', 'networking.v1', 'Ingress', 'ingresses', spec],
  [
    'policy/v1',
    'policy.v1',
    'PodDisruptionBudget',
    'poddisruptionbudgets',
    { ...spec, mayUpdateBlindly: false },
  ],
  [
    'scheduling.k8s.io/v1',
    'scheduling.v1',
    'PriorityClass',
    'priorityclasses',
    { ...cluster, hasGeneration: true, immutable: ['value'] },
  ],
  [
    'storage.k8s.io/v1',
    'storage.v1',
    'StorageClass',
    'storageclasses',
    { ...cluster, immutable: ['provisioner', 'parameters', 'reclaimPolicy'], required: ['provisioner'] },
  ],
  [
    'apiextensions.k8s.io/v1',
    'apiextensions.v1',
    'CustomResourceDefinition',
    'customresourcedefinitions',
    {
      ...spec,
      ...cluster,
      mayUpdateBlindly: false,
      immutable: ['spec.group', 'spec.scope', 'spec.names.kind'],
      required: ['spec.group', 'spec.names.plural', 'spec.names.kind', 'spec.scope', 'spec.versions'],
      keepsPrepared: true,
      prepare: prepareCrd,
      check: checkCrd,
    },
  ],
];

/** Every built-in kind. Schemas are made when they are first needed. */
export const builtinKinds: readonly KindRules[] = table.map(([apiVersion, types, kind, plural, facts]) => {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return {
    ...usual,
    ...facts,
    group,
    version,
    kind,
    plural,
    isCustom: false,
    get schema() {
      return builtinSchema(`${types}.${kind}`);
    },
  };
});
