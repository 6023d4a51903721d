import type { PhaseName } from '../../api/phase-names.ts';
import type { RenderedObject } from '../package.ts';

/** What is asked of an object beside its file, kind and hooks. */
export type ChartFact =
  | 'kept-by-policy' // `helm.sh/resource-policy: keep`
  | 'written-by-role' // a Role of the chart lets pods write it
  | 'crd-folder' // from `crds/`, which Helm installs once
  | 'never-ends' // a Pod that is started again whenever it ends
  | 'exposes'; // a Service that the world outside reaches, and that is not the way that is switched

/** What `lifecycle.yaml` would name a task as. */
export type TaskUse = 'sync' | 'backup' | 'verify' | 'restore' | 'drop';

/** When a task of a phase that changes software runs: before it, or when it is ready. */
export type TaskMoment = 'before' | 'after';

/** Where what a rule is about belongs. */
export interface RulePlace {
  readonly role: RenderedObject['role'];
  /** `hooks`: the phases that its hooks name. `running`: every phase that runs something. */
  readonly phases: readonly PhaseName[] | 'hooks' | 'running';
  readonly moment?: TaskMoment;
  readonly use?: TaskUse;
}

/** One rule. All that it asks for must hold; what it does not ask for does not matter. */
export interface PlacementRule {
  /** Name of the file without folder and ending. */
  readonly file?: RegExp;
  readonly kinds?: readonly string[];
  /** One of the hooks. */
  readonly hooks?: RegExp;
  readonly fact?: ChartFact;
  /** Left out for what has no place; the reason says what to do. */
  readonly place?: RulePlace;
  readonly because: string;
}

const jobs = ['Job', 'Workflow'];
const tasks = ['Job', 'Workflow', 'Pod', 'Command'];
const filled = ['Secret', 'ConfigMap'];
const change = ['install', 'upgrade'] as const;
const software = ['install', 'upgrade', 'rollback'] as const;

const kept = { role: 'kept', phases: ['install'] } as const;
const support = { role: 'support', phases: 'running' } as const;
const task = (phases: RulePlace['phases'], more: Partial<RulePlace> = {}): RulePlace => ({
  role: 'task',
  phases,
  ...more,
});

/**
 * How an object of any chart is placed: the first rule that holds. What must not be overwritten comes first, then what openstack-helm's
 * charts are known to bring, by file; then Helm's hooks; then kinds. Every object meets a rule, for the last one asks for nothing.
 */
export const placementRules: readonly PlacementRule[] = [
  // Belongs to no revision.
  {
    kinds: [...filled, 'PersistentVolumeClaim', 'Namespace', 'CustomResourceDefinition', 'Certificate'],
    fact: 'kept-by-policy',
    place: kept,
    because: 'the chart says `keep`: made once, then left as it is',
  },
  {
    kinds: filled,
    fact: 'written-by-role',
    place: kept,
    because: 'a Role of the chart lets pods write it: made once, then left to who writes it',
  },
  {
    kinds: ['Secret'],
    hooks: /^(?!test)/,
    place: kept,
    because: 'a Secret that is a hook is no part of the release: made once, then left as it is',
  },
  { fact: 'crd-folder', place: kept, because: 'Helm installs `crds/` once and never changes or removes it' },
  {
    kinds: ['PersistentVolumeClaim'],
    place: kept,
    because: 'it holds data: made once, before anything that mounts it, and left when the rest goes',
  },
  { kinds: ['Namespace'], place: kept, because: 'everything in it would go with it' },
  {
    file: /^mariadb-db$/,
    place: kept,
    because:
      'it is the database and its accounts: made before the migration, and data goes only when purging it was agreed to',
  },

  // openstack-helm, by file.
  {
    file: /^job-image-repo-sync$/,
    kinds: jobs,
    place: task(['planning']),
    because: 'it only copies images: when it fails nothing was touched',
  },
  {
    file: /^job-(fernet|credential|keys)-setup$/,
    kinds: jobs,
    place: task(['install']),
    because: 'keys are made once and survive upgrade and rollback',
  },
  {
    file: /^job-db-init/,
    kinds: jobs,
    place: task(change),
    because: 'creates database, user and grants; again at an upgrade, which may bring new ones',
  },
  {
    file: /^job-(db-sync|manage-db)/,
    kinds: jobs,
    place: task(change, { use: 'sync' }),
    because: 'moves the schema forward, and so never in a rollback',
  },
  {
    file: /^job-db-backup/,
    kinds: jobs,
    place: task(['upgrade'], { use: 'backup' }),
    because: 'takes the last consistent copy before the schema moves',
  },
  {
    file: /^job-db-verify/,
    kinds: jobs,
    place: task(['upgrade'], { use: 'verify' }),
    because: 'proves the backup before the schema moves',
  },
  {
    file: /^job-db-restore/,
    kinds: jobs,
    place: task(['rollback'], { use: 'restore' }),
    because: 'a migration has no way back but the backup',
  },
  {
    file: /^job-db-drop/,
    kinds: jobs,
    place: task(['delete'], { use: 'drop' }),
    because: 'destroys data: only where purging it was asked for and agreed to',
  },
  {
    file: /^job-rabbit(mq)?-init/,
    kinds: jobs,
    place: task(change),
    because: 'creates the queue and its user',
  },
  {
    file: /^job-ks-endpoints?$/,
    kinds: jobs,
    place: task(change),
    because: "publishes the service's addresses; its own pods wait for that, so it cannot wait for traffic",
  },
  {
    file: /^job-(ks-|create-internal-tenant|trusts)/,
    kinds: jobs,
    place: task(change),
    because: 'makes accounts and catalogue entries, and changes nothing where they are there',
  },
  {
    file: /^job-.*storage-init$|^job-metadefs-load$/,
    kinds: jobs,
    place: task(change),
    because: 'makes pools and definitions, and changes nothing where they are there',
  },
  {
    file: /^job-ring-builder$/,
    kinds: jobs,
    place: task(['install']),
    because: 'a ring that is there is changed by hand',
  },
  {
    file: /^job-(bootstrap|cell-setup|domain-manage|manage-cleaning-network)/,
    kinds: jobs,
    place: task(change, { moment: 'after' }),
    because: 'it uses what it belongs to, and runs when that is ready',
  },
  {
    file: /^job-(clean|credential-cleanup)$/,
    kinds: jobs,
    place: task(['delete']),
    because: 'cleans up while API and database are still there',
  },
  {
    file: /^(pod-.*tests?|job-run-tests?|job-run-task)$/,
    kinds: tasks,
    place: task(['test']),
    because: 'proves the version',
  },
  {
    file: /^certificates?$/,
    kinds: ['Certificate', 'Issuer'],
    place: support,
    because: 'what it brings is mounted by every pod',
  },

  // Any chart, by name of what it does.
  {
    file: /(^|[-_.])(db-)?(migrate|migrations?|upgrade-db)([-_.]|$)/,
    kinds: jobs,
    place: task(change, { use: 'sync' }),
    because: 'by its name it moves the schema forward, and so never in a rollback',
  },

  // Any chart, by hook.
  { hooks: /^test-failure$/, because: 'a test that must fail proves nothing; make it a test that passes' },
  { kinds: tasks, hooks: /./, place: task('hooks'), because: 'its hooks say so' },
  {
    kinds: [
      'ConfigMap',
      'Secret',
      'ServiceAccount',
      'Role',
      'RoleBinding',
      'ClusterRole',
      'ClusterRoleBinding',
    ],
    place: support,
    because: 'tasks and workloads need it',
  },
  { hooks: /./, place: { role: 'workload', phases: 'hooks' }, because: 'its hooks say so' },

  // Any chart, by kind.
  {
    kinds: ['Pod'],
    fact: 'never-ends',
    because: 'a Pod that never ends cannot be changed in its place; make it a Deployment',
  },
  { kinds: tasks, place: task(software), because: 'a task of the release runs with every change of it' },
  {
    kinds: ['Certificate', 'Issuer', 'PriorityClass', 'LimitRange', 'ResourceQuota'],
    place: support,
    because: 'tasks and workloads need it',
  },
  {
    kinds: ['CronJob'],
    place: { role: 'workload', phases: ['operational'] },
    because: 'it writes on a timer: never while the service is being changed',
  },
  {
    kinds: ['PodDisruptionBudget'],
    place: { role: 'workload', phases: ['operational'] },
    because: 'a strict one would block the change itself',
  },
  {
    kinds: ['Ingress', 'HTTPRoute', 'GRPCRoute', 'TLSRoute', 'TCPRoute', 'Gateway'],
    place: { role: 'workload', phases: ['trafficrollout'] },
    because: 'it exposes the service, and nothing takes traffic before its test',
  },
  {
    kinds: ['Service'],
    fact: 'exposes',
    place: { role: 'workload', phases: ['trafficrollout'] },
    because: 'the world outside reaches it, and nothing takes traffic before its test',
  },
  {
    place: { role: 'workload', phases: software },
    because: 'what is installed is changed by upgrade and rollback too',
  },
];

/** What each of Helm's hooks means in phases. */
export const hookPlaces: Readonly<
  Record<string, { readonly phase: PhaseName; readonly moment: TaskMoment }>
> = {
  'crd-install': { phase: 'install', moment: 'before' },
  'pre-install': { phase: 'install', moment: 'before' },
  'post-install': { phase: 'install', moment: 'after' },
  'pre-upgrade': { phase: 'upgrade', moment: 'before' },
  'post-upgrade': { phase: 'upgrade', moment: 'after' },
  'pre-rollback': { phase: 'rollback', moment: 'before' },
  'post-rollback': { phase: 'rollback', moment: 'after' },
  'pre-delete': { phase: 'delete', moment: 'before' },
  'post-delete': { phase: 'delete', moment: 'after' },
  test: { phase: 'test', moment: 'before' },
  'test-success': { phase: 'test', moment: 'before' },
};
