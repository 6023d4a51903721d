/** Small packages with real programs, for journeys. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { JourneyPlace } from './journey-place.ts';

const program = join(import.meta.dirname, 'program');

/** What a package shall be like; everything has a default. */
export interface PackageWish {
  /** `bluegreen` unless told. */
  readonly strategy?: 'bluegreen' | 'rolling' | 'recreate';
  readonly replicas?: number;
  /** Slices of a rolling change. Two unless told. */
  readonly slices?: number;
  /**
   * How the schema of its database comes to this version: `expand` brings `expand`, `migrate` and `contract`, `sync` one task, `keep` none.
   * `none`: there is no database. `keep` unless told.
   */
  readonly data?: 'expand' | 'sync' | 'keep' | 'none';
  /** The schema, a number. The major part of the version unless told. */
  readonly head?: string;
  /**
   * What goes wrong: the name of a task (`test`, `backup`, ...) makes it fail, `hang:<task>` hang. Of the API: `crash`, `unready`, `errors`,
   * `one-in-ten`, `hang`, `fork` (children), `log` (fills it). A record may say others in `values.faults`, joined by commas.
   */
  readonly faults?: readonly string[];
  /** Whether it also has a workload that no route leads to, and that writes rows all the while. */
  readonly worker?: boolean;
  /** How long its pods may take to be ready before the change counts as failed. Sixty unless told. */
  readonly startSeconds?: number;
  /** Over the traffic settings of `lifecycle.yaml`, which are short here. */
  readonly traffic?: Readonly<Record<string, unknown>>;
  /** Over anything else of `lifecycle.yaml`. */
  readonly lifecycle?: Readonly<Record<string, unknown>>;
}

const dataTasks = ['init', 'backup', 'verify', 'restore', 'drop', 'state'];
const splitTasks = ['expand', 'migrate', 'contract'];

/** Whose package it is, and where it shall run. */
export interface PackageFor {
  readonly name: string;
  readonly version: string;
  /** This machine alone unless told. */
  readonly place?: PackagePlace;
}

type PackagePlace = Pick<JourneyPlace, 'traffic' | 'podSpec' | 'container'>;
const thisMachine: PackagePlace = { traffic: {}, podSpec: {}, container: {} };

/** Writes a package into a folder, in the place of what is there. */
export function writePackage(folder: string, of: PackageFor, wish: PackageWish = {}): void {
  const { name: service, version, place = thisMachine } = of;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(program, join(folder, 'program'), { recursive: true });
  const file = (name: string, ...objects: unknown[]) =>
    writeFileSync(join(folder, name), objects.map(object => stringify(object)).join('---\n'));
  const about = { service, version, place, wish, head: wish.head ?? version.split('.')[0] ?? '1' };
  file('lifecycle.yaml', lifecycleOf(about));
  file('values.yaml', {
    replicas: wish.replicas ?? 1,
    faults: (wish.faults ?? []).join(','),
    setting: 'usual',
  });
  file('api.yaml', ...softwareOf(about));
  file('test.yaml', taskOf(about, 'test'));
  file('check.yaml', taskOf(about, 'preflight'));
  const tasks = tasksOf(wish);
  if (tasks.length > 0) file('database.yaml', ...tasks.map(task => taskOf(about, task)));
}

interface About {
  readonly service: string;
  readonly version: string;
  readonly place: PackagePlace;
  readonly wish: PackageWish;
  readonly head: string;
}

function tasksOf({ data = 'keep' }: PackageWish): string[] {
  if (data === 'none') return [];
  return [...dataTasks, ...(data === 'expand' ? splitTasks : data === 'sync' ? ['sync'] : [])];
}

function lifecycleOf({ service, version, place, wish, head }: About): unknown {
  const { strategy = 'bluegreen', slices = 2, data = 'keep' } = wish;
  const job = (task: string) => `job/${service}-${task}`;
  const named = (tasks: readonly string[]) => Object.fromEntries(tasks.map(task => [task, job(task)]));
  const migrate = data === 'expand' ? named(splitTasks) : data === 'sync' ? named(['sync']) : undefined;
  const traffic = {
    ...{ service, port: 8080, drainSeconds: 5, settleSeconds: 0, weights: [50], stepSeconds: 1 },
    ...place.traffic,
    ...wish.traffic,
  };
  const rolling = strategy === 'rolling' ? { components: [{ name: service, slices, traffic }] } : { traffic };
  return {
    ...{ service, version, strategy, ...rolling },
    data:
      data === 'none' ? [] : [{ name: service, head, ...named(dataTasks), ...(migrate ? { migrate } : {}) }],
    preflight: [job('preflight')],
    phases: { install: ['api.yaml'], test: ['test.yaml'] },
    images: [
      {
        name: `journey/${service}:\${version}`,
        command: [process.execPath, '${package}/program/main.mjs'],
        isolation: 'none',
      },
    ],
    ...wish.lifecycle,
  };
}

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: filled in when the package is rendered */
function envOf({ service, wish, head }: About): { name: string; value: string }[] {
  const env = {
    SERVICE: service,
    VERSION: '${version}',
    DATA: '${shared.data}',
    HEAD: head,
    DATABASE: wish.data === 'none' ? '' : service,
    FAULTS: '${values.faults}',
    MESSAGE_FILE: '/run/afloat/message',
  };
  return Object.entries(env).map(([name, value]) => ({ name, value }));
}

function softwareOf(about: About): unknown[] {
  const { service, place } = about;
  const labels = { app: service, slice: '${slice}' };
  const etc = `${service}-etc-\${slice}`;
  const container = {
    ...{ name: 'api', image: `journey/${service}:\${version}`, args: ['api'], env: envOf(about) },
    envFrom: [{ configMapRef: { name: etc } }],
    ports: [{ name: 'api', containerPort: 8080 }],
    // Patient: that the machine is busy is no fault of the service.
    readinessProbe: { httpGet: { path: '/healthz', port: 'api' }, periodSeconds: 1, timeoutSeconds: 5 },
    ...place.container,
  };
  return [
    {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: etc } },
      data: { SLICE: '${slice}', PORT: '8080', SETTING: '${values.setting}' },
    },
    {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: `${service}-\${slice}` } },
      spec: {
        replicas: '${values.replicas}',
        progressDeadlineSeconds: about.wish.startSeconds ?? 60,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { ...place.podSpec, containers: [container] } },
      },
    },
    ...(about.wish.worker ? [workerOf(about)] : []),
    {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: service } },
      spec: { selector: { app: service }, ports: [{ name: 'api', port: 8080, targetPort: 'api' }] },
    },
  ];
}

function workerOf(about: About): unknown {
  const { service, place } = about;
  const labels = { app: `${service}-worker`, slice: '${slice}' };
  const image = `journey/${service}:\${version}`;
  const container = { name: 'worker', image, args: ['worker'], env: envOf(about), ...place.container };
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: `${service}-worker-\${slice}` } },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { ...place.podSpec, containers: [container] } },
    },
  };
}
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: filled in when the package is rendered */

function taskOf(about: About, task: string): unknown {
  const container = {
    ...{ name: 'task', image: `journey/${about.service}:\${version}`, args: [task], env: envOf(about) },
    terminationMessagePath: '/run/afloat/message',
    ...about.place.container,
  };
  return {
    ...{ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: `${about.service}-${task}` } },
    spec: {
      backoffLimit: 0,
      // One that hangs hears no signal where it is the first process of its Pod: nobody needs to wait for it.
      template: {
        spec: {
          ...{ ...about.place.podSpec, restartPolicy: 'Never', terminationGracePeriodSeconds: 2 },
          containers: [container],
        },
      },
    },
  };
}
