import type { PackageSource } from '../../../src/package/source.ts';
import { memoryPackages, type PackageWords } from '../../../src/testing/memory-packages.ts';

/** The service of the kill stories: a book with a database, clients and a nightly task. */
export const service = 'book';

/** Tasks of the package that a flow names one by one. */
const tasks = {
  init: 'db-init',
  backup: 'db-backup',
  verify: 'db-verify',
  restore: 'db-restore',
  drop: 'db-drop',
  state: 'db-state',
} as const;

const meta = (name: string) => ({ name });

/** A task that says what it does to the world, so that a ledger can count it. */
function task(name: string): unknown {
  const container = {
    name: 'task',
    image: `example/${service}:${'${version}'}`,
    command: ['task', name],
    env: [{ name: 'EFFECT', value: `${name} ${'${version}'}` }],
    envFrom: [{ configMapRef: { name: `${service}-etc-${'${slice}'}` } }],
  };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: meta(name),
    spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } },
  };
}

const configMap = (name: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: meta(name),
  data: { version: '${version}' },
});

const api = (name: string) => [
  configMap(`${service}-etc-${'${slice}'}`),
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: meta(name),
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name, api: service } },
        spec: {
          containers: [
            {
              name: 'api',
              image: `example/${service}:${'${version}'}`,
              envFrom: [{ configMapRef: { name: `${service}-etc-${'${slice}'}` } }],
              ports: [{ name: 'api', containerPort: 8080 }],
            },
          ],
        },
      },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: meta(service),
    spec: { selector: { api: service }, ports: [{ name: 'api', port: 80, targetPort: 'api' }] },
  },
];

const nightly = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: meta(`${service}-nightly`),
  spec: {
    schedule: '0 3 1 1 *',
    jobTemplate: {
      spec: {
        template: {
          spec: {
            restartPolicy: 'Never',
            containers: [{ name: 'task', image: `example/${service}:${'${version}'}`, command: ['nightly'] }],
          },
        },
      },
    },
  },
};

interface Wish {
  readonly version: string;
  readonly strategy: 'bluegreen' | 'recreate';
  readonly head: string;
  /** How the schema comes to this version. */
  readonly migrate: { readonly expand?: string; readonly contract?: string; readonly sync?: string };
}

function words({ version, strategy, head, migrate }: Wish): PackageWords {
  const named = [
    ...Object.values(tasks),
    ...Object.values(migrate).map(one => one.slice('job/'.length)),
    ...['upgrade-check', 'before', 'after'],
  ];
  return {
    service,
    version,
    strategy,
    traffic: {
      ...{ service, port: 80, drainSeconds: 5, settleSeconds: 1 },
      ...{ weights: [50], stepSeconds: 1, warmUp: '/healthz' },
    },
    data: [
      {
        ...{ name: service, head, migrate },
        ...Object.fromEntries(Object.entries(tasks).map(([verb, name]) => [verb, `job/${name}`])),
      },
    ],
    preflight: ['job/upgrade-check'],
    pre: ['job/before'],
    post: ['job/after'],
    phases: {
      install: [`${service}.yaml`],
      test: ['test.yaml'],
      operational: ['nightly.yaml'],
    },
    files: {
      [`${service}.yaml`]: api(`${service}-${'${slice}'}`),
      'test.yaml': [task('api-test')],
      'tasks.yaml': named.map(task),
      'nightly.yaml': [nightly],
    },
  };
}

const split = { expand: 'job/db-expand', contract: 'job/db-contract' };

/** The version whose own test fails. */
export const badVersions: ReadonlySet<string> = new Set(['2.0.1', '3.0.0']);

/** 1.0.0 is what runs; 2.0.0 is good; 2.0.1 fails its test; 3.0.0 too, after a migration that is not split. */
export const killPackages: PackageSource = memoryPackages([
  words({ version: '1.0.0', strategy: 'bluegreen', head: 'a', migrate: split }),
  words({ version: '2.0.0', strategy: 'bluegreen', head: 'b', migrate: split }),
  words({ version: '2.0.1', strategy: 'bluegreen', head: 'b', migrate: split }),
  words({ version: '3.0.0', strategy: 'recreate', head: 'c', migrate: { sync: 'job/db-sync' } }),
]);
