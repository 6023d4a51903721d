/** Packages of the journeys about promises: one service, one program, and whatever shall go wrong with it. */
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { JsonObject } from '../../../src/base/json.ts';
import type { JourneyWorld } from '../engine/journey-world.ts';

/** What a package shall be like; without anything it is one that does well. */
export interface ServiceWish {
  readonly strategy?: 'bluegreen' | 'rolling' | 'recreate';
  /** Over the traffic settings. */
  readonly traffic?: JsonObject;
  /** Over anything else of `lifecycle.yaml`. */
  readonly lifecycle?: JsonObject;
  /** A shell script that is the test; three requests to the service unless told. `none`: nothing tests it. */
  readonly test?: string;
  /** How long the test may take. */
  readonly testDeadline?: number;
  /** Over the container of the test. */
  readonly testContainer?: JsonObject;
  /** Over the container that serves. */
  readonly container?: JsonObject;
  /** Over the spec of the Pods that serve, and labels of theirs. */
  readonly podSpec?: JsonObject;
  readonly podLabels?: Readonly<Record<string, string>>;
  /** Over the spec of the Deployment. */
  readonly deployment?: JsonObject;
  /** How long the software may take to be ready. */
  readonly deadline?: number;
  /** Shell scripts of tasks around the software, by the list they are in. */
  readonly pre?: string;
  /** Whether there is a cron job. */
  readonly cron?: boolean;
  /** The content of a Secret that belongs to somebody else. */
  readonly key?: string;
}

const deadlineAnnotation = 'openstacklcm.airshipit.org/deadline-seconds';

/** Writes a package of a service at a version; it is in the cluster after the next `apply`. */
export function aService(world: JourneyWorld, name: string, version: string, wish: ServiceWish = {}): void {
  world.aPackage(name, version, { data: 'none' });
  const folder = join(world.folder, 'packages', name, version);
  cpSync(join(import.meta.dirname, 'program'), join(folder, 'program'), { recursive: true });
  const file = (path: string, ...objects: unknown[]) =>
    writeFileSync(join(folder, path), objects.map(object => stringify(object)).join('---\n'));
  file('values.yaml', { setting: `of ${version}`, replicas: 1 });
  file('lifecycle.yaml', lifecycleOf(world, name, version, wish));
  file('api.yaml', ...softwareOf(world, name, wish));
  if (wish.test === 'none') rmSync(join(folder, 'test.yaml'));
  else file('test.yaml', testOf(world, name, wish));
  file('check.yaml', taskOf(world, name, 'before', { script: wish.pre ?? 'true' }));
  if (wish.cron) file('cron.yaml', cronOf(name));
}

function lifecycleOf({ place }: JourneyWorld, name: string, version: string, wish: ServiceWish): unknown {
  const { strategy = 'bluegreen' } = wish;
  const traffic = {
    ...{ service: name, port: 8080, drainSeconds: 5, settleSeconds: 0, weights: [50], stepSeconds: 1 },
    ...place.traffic,
    ...wish.traffic,
  };
  const image = (of: string, command: readonly string[]) => ({
    name: `promises/${of}`,
    command,
    isolation: 'none',
  });
  const parts = strategy === 'rolling' ? { components: [{ name, slices: 2, traffic }] } : { traffic };
  return {
    ...{ service: name, version, strategy, ...parts },
    ...(wish.pre === undefined ? {} : { pre: [`job/${name}-before`] }),
    ...(wish.key === undefined ? {} : { keep: [`secret/${name}-key`] }),
    phases: {
      install: ['api.yaml'],
      ...(wish.test === 'none' ? {} : { test: ['test.yaml'] }),
      ...(wish.cron ? { operational: ['cron.yaml'] } : {}),
      ...(wish.pre === undefined ? { upgrade: ['check.yaml'] } : {}),
    },
    images: [
      image('program:${version}', [process.execPath, '${package}/program/main.mjs']),
      image('shell:1', ['/bin/sh', '-c']),
    ],
    ...wish.lifecycle,
  };
}

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: filled in when the package is rendered */
const programImage = 'promises/program:${version}';

function envOf(name: string): { name: string; value: string }[] {
  const env = { SERVICE: name, VERSION: '${version}', DATA: '${shared.data}' };
  return Object.entries(env).map(([key, value]) => ({ name: key, value }));
}

function softwareOf({ place }: JourneyWorld, name: string, wish: ServiceWish): unknown[] {
  const labels = { app: name, slice: '${slice}' };
  const etc = `${name}-etc-\${slice}`;
  const container = {
    ...{ name: 'api', image: programImage, args: ['serve'], env: envOf(name) },
    envFrom: [{ configMapRef: { name: etc } }],
    ports: [{ name: 'api', containerPort: 8080 }],
    readinessProbe: { httpGet: { path: '/healthz', port: 'api' }, periodSeconds: 1, failureThreshold: 1 },
    ...place.container,
    ...wish.container,
  };
  const annotations = wish.deadline === undefined ? {} : { [deadlineAnnotation]: `${wish.deadline}` };
  const key = wish.key;
  return [
    {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: etc } },
      data: { SLICE: '${slice}', SETTING: '${values.setting}' },
    },
    ...(key === undefined
      ? []
      : [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: `${name}-key` }, stringData: { key } }]),
    {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: `${name}-\${slice}`, annotations } },
      spec: {
        replicas: '${values.replicas}',
        ...wish.deployment,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels: { ...labels, ...wish.podLabels } },
          spec: {
            ...place.podSpec,
            terminationGracePeriodSeconds: 5,
            containers: [container],
            ...wish.podSpec,
          },
        },
      },
    },
    {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name } },
      spec: { selector: { app: name }, ports: [{ name: 'api', port: 8080, targetPort: 'api' }] },
    },
  ];
}
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: filled in when the package is rendered */

interface TaskWish {
  readonly script?: string | undefined;
  readonly deadline?: number | undefined;
  readonly container?: JsonObject | undefined;
}

function testOf(
  world: JourneyWorld,
  name: string,
  { test, testDeadline, testContainer }: ServiceWish,
): unknown {
  return taskOf(world, name, 'test', { script: test, deadline: testDeadline, container: testContainer });
}

function taskOf(
  { place }: JourneyWorld,
  name: string,
  task: string,
  { script, deadline, container }: TaskWish,
): unknown {
  const what =
    script === undefined
      ? { image: programImage, args: ['test'] }
      : { image: 'promises/shell:1', args: [script] };
  const annotations = deadline === undefined ? {} : { [deadlineAnnotation]: `${deadline}` };
  return {
    ...{ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: `${name}-${task}`, annotations } },
    spec: {
      template: {
        spec: {
          ...{ ...place.podSpec, restartPolicy: 'Never', terminationGracePeriodSeconds: 1 },
          containers: [{ name: 'task', env: envOf(name), ...what, ...place.container, ...container }],
        },
      },
    },
  };
}

function cronOf(name: string): unknown {
  const container = { name: 'task', image: 'promises/shell:1', args: ['true'] };
  return {
    ...{ apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: `${name}-tidy` } },
    spec: {
      schedule: '0 0 1 1 *',
      jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } },
    },
  };
}
