import { expect } from 'vitest';
import type { ObjectType, StoredObject } from '../cluster.ts';
import { type CaseWorld, configMapType, fieldsOf, refOf, refusal } from './case-world.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

const labels = { app: 'one' };
const container = { name: 'one', image: 'one:1' };
const template = { metadata: { labels }, spec: { containers: [container] } };
const jobTemplate = { spec: { restartPolicy: 'Never', containers: [container] } };

const types = {
  Deployment: { apiVersion: 'apps/v1', kind: 'Deployment' },
  StatefulSet: { apiVersion: 'apps/v1', kind: 'StatefulSet' },
  DaemonSet: { apiVersion: 'apps/v1', kind: 'DaemonSet' },
  ReplicaSet: { apiVersion: 'apps/v1', kind: 'ReplicaSet' },
  Job: { apiVersion: 'batch/v1', kind: 'Job' },
  CronJob: { apiVersion: 'batch/v1', kind: 'CronJob' },
  Service: { apiVersion: 'v1', kind: 'Service' },
  Secret: { apiVersion: 'v1', kind: 'Secret' },
} as const satisfies Record<string, ObjectType>;

type Kind = keyof typeof types;

/** The least spec of each kind that is taken. No Pods are asked for: nobody could run them. */
const least: Readonly<Record<Kind, object>> = {
  Deployment: { replicas: 0, selector: { matchLabels: labels }, template },
  StatefulSet: { replicas: 0, serviceName: 'one', selector: { matchLabels: labels }, template },
  DaemonSet: { selector: { matchLabels: labels }, template },
  ReplicaSet: { replicas: 0, selector: { matchLabels: labels }, template },
  Job: { suspend: true, template: jobTemplate },
  CronJob: {
    suspend: true,
    schedule: '*/5 0-6 * jan,feb 1',
    jobTemplate: { spec: { template: jobTemplate } },
  },
  Service: { ports: [{ port: 80 }] },
  Secret: {},
};

function make(world: CaseWorld, kind: Kind, spec: object, suffix = 'one'): Promise<StoredObject> {
  return world.create(world.object(types[kind], suffix, { spec: { ...least[kind], ...spec } }));
}

async function wrongFields(asked: Promise<unknown>): Promise<string[]> {
  return fieldsOf(await refusal('Invalid', asked));
}

/** What is refused: kind, what is laid over its least spec, and the fields that are named. */
const refused: readonly (readonly [sentence: string, kind: Kind, spec: object, fields: readonly string[]])[] =
  [
    ...(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'] as const).flatMap(
      kind =>
        [
          [
            `a ${kind} whose selector is not for its Pods`,
            kind,
            { selector: { matchLabels: { app: 'other' } } },
            ['spec.template.metadata.labels'],
          ],
          [
            `a ${kind} with a container without an image`,
            kind,
            { template: { ...template, spec: { containers: [{ name: 'one' }] } } },
            ['spec.template.spec.containers[0].image'],
          ],
        ] as const,
    ),
    ['a Deployment of less than nothing', 'Deployment', { replicas: -1 }, ['spec.replicas']],
    [
      'a Deployment whose Pods are not restarted',
      'Deployment',
      { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } },
      ['spec.template.spec.restartPolicy'],
    ],
    [
      'a Deployment that goes on by a way that is none',
      'Deployment',
      { strategy: { type: 'Sideways' } },
      ['spec.strategy'],
    ],
    [
      'a Job whose Pods are restarted for ever',
      'Job',
      { template: { spec: { containers: [container] } } },
      ['spec.template.spec.restartPolicy'],
    ],
    ['a Job that is done less than never', 'Job', { completions: -1 }, ['spec.completions']],
    ['a CronJob without a time', 'CronJob', { schedule: 'nonsense' }, ['spec.schedule']],
    ['a CronJob of the 61st minute', 'CronJob', { schedule: '61 * * * *' }, ['spec.schedule']],
    [
      'a CronJob with a container without a name',
      'CronJob',
      {
        jobTemplate: {
          spec: { template: { spec: { restartPolicy: 'Never', containers: [{ image: 'one' }] } } },
        },
      },
      ['spec.jobTemplate.spec.template.spec.containers[0].name'],
    ],
    ['a Service without ports', 'Service', { ports: [] }, ['spec.ports']],
    [
      'a Service on a port that is none',
      'Service',
      { ports: [{ port: 99999 }] },
      ['spec.ports[0].port', 'spec.ports[0].targetPort'],
    ],
    [
      'a Service with two ports of no name',
      'Service',
      { ports: [{ port: 80 }, { port: 81 }] },
      ['spec.ports[0].name', 'spec.ports[1].name'],
    ],
  ];

export const workloadCases: ContractTopic = {
  topic: 'built-in kinds that others lean on',
  cases: {
    'what is left out of a strategy is filled in': async world => {
      const some = await make(world, 'Deployment', { strategy: { rollingUpdate: { maxSurge: 1 } } }, 'some');
      expect(some['spec']).toMatchObject({
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } },
      });
      const empty = await make(world, 'Deployment', { strategy: {} }, 'empty');
      expect(empty['spec']).toMatchObject({
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      });
      const other = await make(world, 'Deployment', { strategy: { type: 'Recreate' } }, 'other');
      expect((other['spec'] as { strategy: object }).strategy).toEqual({ type: 'Recreate' });
    },
    'what is left out of an update strategy is filled in': async world => {
      const set = await make(world, 'StatefulSet', { updateStrategy: { rollingUpdate: { partition: 2 } } });
      expect(set['spec']).toMatchObject({
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } },
      });
      const empty = await make(world, 'StatefulSet', { updateStrategy: {} }, 'empty');
      expect(empty['spec']).toMatchObject({
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      });
      const daemons = await make(world, 'DaemonSet', {
        updateStrategy: { rollingUpdate: { maxUnavailable: 2 } },
      });
      expect(daemons['spec']).toMatchObject({
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } },
      });
    },
    'a quantity that is none cannot be read': async world => {
      const resources = { limits: { cpu: 'lots' } };
      const bad = { ...template, spec: { containers: [{ ...container, resources }] } };
      await refusal('BadRequest', make(world, 'Deployment', { template: bad }));
      const good = { limits: { cpu: '1.5', memory: '1Gi' }, requests: { cpu: 0.5, memory: '1e3' } };
      await make(world, 'Deployment', {
        template: { ...template, spec: { containers: [{ ...container, resources: good }] } },
      });
    },
    'what a Job makes stays as it is': async world => {
      const made = await make(world, 'Job', { suspend: false, parallelism: 0, completions: 1 });
      const change = (spec: object) =>
        wrongFields(world.cluster.patch(refOf(made), { type: 'merge', value: { spec } as never }));
      expect(await change({ completions: 5 })).toEqual(['spec.completions']);
      expect(await change({ selector: { matchLabels: { a: 'b' } } })).toContain('spec.selector');
      const containers = [{ ...container, image: 'other' }];
      expect(await change({ template: { spec: { containers } } })).toEqual(['spec.template']);
    },
    'a selector stays as it is': async world => {
      for (const kind of ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'] as const) {
        const made = await make(world, kind, {}, kind.toLowerCase());
        const more = { metadata: { labels: { ...labels, more: 'x' } } };
        const spec = { selector: { matchLabels: { more: 'x' } }, template: more };
        const asked = world.cluster.patch(refOf(made), { type: 'merge', value: { spec } as never });
        await refusal('Invalid', asked);
      }
    },
    'data has its size in bytes and its keys once': async world => {
      const config = (content: object) => world.create(world.object(configMapType, 'one', content));
      expect(await wrongFields(config({ data: { a: 'x' }, binaryData: { a: 'eA==' } }))).toEqual(['data[a]']);
      await refusal('Invalid', config({ data: { a: 'y'.repeat(1024 * 1024 + 1) } }));
      await refusal('Invalid', config({ data: { a: '漢'.repeat(400_000) } }));
      await refusal('BadRequest', config({ binaryData: { a: '***' } }));
      await config({ data: { a: 'y'.repeat(1024 * 1024) } });
    },
    'a Secret holds bytes': async world => {
      const secret = (content: object) => world.create(world.object(types.Secret, 'one', content));
      await refusal('BadRequest', secret({ data: { a: '***' } }));
      const large = Buffer.alloc(1024 * 1024 + 1).toString('base64');
      expect(await wrongFields(secret({ data: { a: large } }))).toEqual(['data']);
      const made = await secret({ data: { a: 'eA==' }, stringData: { b: 'ä' } });
      expect(made['data']).toEqual({ a: 'eA==', b: 'w6Q=' });
    },
    ...Object.fromEntries(
      refused.map(([sentence, kind, spec, fields]) => [
        `${sentence} is refused`,
        async (world: CaseWorld) => expect(await wrongFields(make(world, kind, spec))).toEqual(fields),
      ]),
    ),
  },
};
