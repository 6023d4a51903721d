import type { Json } from '../../../src/base/json.ts';

/** Types that OpenAPI has and the table does not open up, by the end of their name. */
export const closedTypes: readonly { readonly name: string; readonly shape: string; readonly why: string }[] =
  [
    { name: '.resource.Quantity', shape: 'q', why: 'a number with a unit, or without' },
    {
      name: '.v1.JSONSchemaProps',
      shape: '!?',
      why: 'holds itself, which a line cannot say; one owner, as the list of versions above it has',
    },
    { name: '.v1.JSON', shape: '?', why: 'any value' },
    { name: '.runtime.RawExtension', shape: '?', why: 'any object' },
    { name: '.v1.FieldsV1', shape: '?', why: 'its keys are names of fields' },
  ];

type Defaults = Readonly<Record<string, Json>>;

const probe: Defaults = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
const fileMode: Defaults = { defaultMode: 420 };

/**
 * What an API server fills in where a field is left out. It does so in its own code (SetDefaults functions) and tells
 * OpenAPI only of a few, so the rest is written down here; the contract suite holds it against a real server. What is
 * filled in only together with other fields is in `prepare` functions of the kinds: `enableServiceLinks`, for
 * example, is filled into a Pod and not into the template of one, though both have the same spec.
 */
export const defaults: Readonly<Record<string, Defaults>> = {
  'apiextensions.v1.CustomResourceDefinitionSpec': { conversion: { strategy: 'None' } },
  'apps.v1.DaemonSetSpec': {
    revisionHistoryLimit: 10,
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
  },
  'apps.v1.DeploymentSpec': {
    replicas: 1,
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
  },
  'apps.v1.ReplicaSetSpec': { replicas: 1 },
  'apps.v1.StatefulSetSpec': {
    replicas: 1,
    podManagementPolicy: 'OrderedReady',
    revisionHistoryLimit: 10,
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
  },
  'batch.v1.CronJobSpec': {
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  },
  'batch.v1.JobSpec': {
    parallelism: 1,
    backoffLimit: 6,
    completionMode: 'NonIndexed',
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: 'TerminatingOrFailed',
  },
  'core.v1.ConfigMapVolumeSource': fileMode,
  'core.v1.Container': {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    resources: {},
  },
  'core.v1.ContainerPort': { protocol: 'TCP' },
  'core.v1.DownwardAPIVolumeSource': fileMode,
  'core.v1.EndpointPort': { protocol: 'TCP' },
  'core.v1.HTTPGetAction': { path: '/', scheme: 'HTTP' },
  'core.v1.HostPathVolumeSource': { type: '' },
  'core.v1.ObjectFieldSelector': { apiVersion: 'v1' },
  'core.v1.PersistentVolumeClaimSpec': { volumeMode: 'Filesystem' },
  'core.v1.PersistentVolumeSpec': { volumeMode: 'Filesystem', persistentVolumeReclaimPolicy: 'Retain' },
  'core.v1.PodSpec': {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    securityContext: {},
    schedulerName: 'default-scheduler',
  },
  'core.v1.Probe': probe,
  'core.v1.ProjectedVolumeSource': fileMode,
  'core.v1.Secret': { type: 'Opaque' },
  'core.v1.SecretVolumeSource': fileMode,
  'core.v1.ServicePort': { protocol: 'TCP' },
  'core.v1.ServiceSpec': { sessionAffinity: 'None', type: 'ClusterIP', internalTrafficPolicy: 'Cluster' },
  'discovery.v1.EndpointPort': { name: '', protocol: 'TCP' },
  'rbac.v1.RoleRef': { apiGroup: 'rbac.authorization.k8s.io' },
  'scheduling.v1.PriorityClass': { preemptionPolicy: 'PreemptLowerPriority' },
  'storage.v1.StorageClass': { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
};
