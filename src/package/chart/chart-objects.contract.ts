import type { JsonObject } from '../../base/json.ts';
import { identityOf } from '../object-kinds.ts';
import type { ChartObject } from './chart-object.ts';
import type { PlacedChart } from './placed-object.ts';

/** What a chart brings, in a few words: names, kinds, files, hooks and waits are all that most rules look at. */
export interface ChartObjectWish {
  /** `templates/<file>.yaml`; by kind unless told. */
  readonly file?: string;
  readonly hooks?: readonly string[];
  readonly weight?: number;
  readonly keep?: boolean;
  /** Names of Jobs and Services, and labels of pods, that its init container waits for. */
  readonly jobs?: readonly string[];
  readonly services?: readonly string[];
  readonly pods?: Readonly<Record<string, string>>;
  /** Labels of its pods, and what selects them. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Over the spec of its pods, or of the object where it starts none. */
  readonly spec?: JsonObject;
  /** Over the whole object. */
  readonly more?: JsonObject;
}

const runs: ReadonlySet<string> = new Set([
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
  'Pod',
]);

/** One object of a chart in openstack-helm's style. */
export function chartObject(kind: string, name: string, wish: ChartObjectWish = {}): ChartObject {
  const { file = kind.toLowerCase(), hooks = [], weight = 0, keep = false } = wish;
  return {
    object: {
      apiVersion: apiVersions[kind] ?? 'v1',
      kind,
      metadata: { name },
      ...bodyOf(kind, wish),
      ...wish.more,
    },
    file: file.includes('/') ? file : `templates/${file}.yaml`,
    ...{ line: 1, hooks, weight, deletePolicies: [] },
    ...(keep ? { resourcePolicy: 'keep' as const } : {}),
  };
}

/** What is written of a set-up Job of openstack-helm. */
export function setUpJob(
  name: string,
  file: string,
  weight: number,
  wish: ChartObjectWish = {},
): ChartObject {
  return chartObject('Job', name, { file, weight, hooks: ['post-install', 'post-upgrade'], ...wish });
}

const apiVersions: Readonly<Record<string, string>> = {
  ...{
    Deployment: 'apps/v1',
    StatefulSet: 'apps/v1',
    DaemonSet: 'apps/v1',
    Job: 'batch/v1',
    CronJob: 'batch/v1',
  },
  ...{ PodDisruptionBudget: 'policy/v1', HorizontalPodAutoscaler: 'autoscaling/v2' },
  ...{ Role: 'rbac.authorization.k8s.io/v1', RoleBinding: 'rbac.authorization.k8s.io/v1' },
  ...{ Ingress: 'networking.k8s.io/v1', NetworkPolicy: 'networking.k8s.io/v1' },
};

function bodyOf(kind: string, { labels = {}, spec = {}, ...wish }: ChartObjectWish): JsonObject {
  if (kind === 'Service') return { spec: { selector: labels, ports: [{ name: 'api', port: 80 }], ...spec } };
  if (!runs.has(kind)) return Object.keys(spec).length === 0 ? {} : { spec };
  const pods = podSpec(wish, spec);
  if (kind === 'Pod') return { spec: { restartPolicy: 'Never', ...pods } };
  const template = { metadata: { labels }, spec: pods };
  if (kind === 'CronJob') return { spec: { schedule: '0 * * * *', jobTemplate: { spec: { template } } } };
  return { spec: { ...(kind === 'Job' ? {} : { selector: { matchLabels: labels } }), template } };
}

function podSpec({ jobs, services, pods }: ChartObjectWish, more: JsonObject): JsonObject {
  const env = [
    { name: 'DEPENDENCY_JOBS', value: (jobs ?? []).join(',') },
    { name: 'DEPENDENCY_SERVICE', value: (services ?? []).map(name => `openstack:${name}`).join(',') },
    ...(pods ? [{ name: 'DEPENDENCY_POD_JSON', value: JSON.stringify([{ labels: pods }]) }] : []),
  ];
  const waits =
    jobs || services || pods ? { initContainers: [{ name: 'init', image: 'entrypoint:1', env }] } : {};
  return { ...waits, containers: [{ name: 'main', image: 'service:1' }], ...more };
}

/** Where everything is, a line an object in order, and why what has no place has none. */
export function printPlaced({ placed, unplaced }: PlacedChart): string[] {
  const lines = placed.map(({ chartObject: { object }, role, phases, moment }) => {
    const { kind, name } = identityOf(object);
    return `${kind} ${name}: ${role} ${phases.join(' ')}${moment === 'after' ? ', after the software' : ''}`;
  });
  const left = unplaced.map(({ chartObject: { object }, because }) => {
    const { kind, name } = identityOf(object);
    return `${kind} ${name}: no place, ${because}`;
  });
  return [...lines, ...left];
}
