import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClusterObject } from '../../cluster/cluster.ts';
import { ClusterError } from '../../cluster/cluster-error.ts';
import { ActWorld } from '../../testing/act-world.ts';
import { anObject } from '../../testing/scripted-ports.ts';
import { hideIn, hideSecrets, secretsOf } from './hide-secrets.ts';

const task = anObject(
  'Job',
  'test',
  {
    template: {
      spec: {
        initContainers: [{ name: 'i', envFrom: [{ secretRef: { name: 'all' } }] }],
        containers: [
          {
            name: 'c',
            env: [
              { name: 'A', valueFrom: { secretKeyRef: { name: 'one', key: 'k' } } },
              { name: 'B', valueFrom: { configMapKeyRef: { name: 'open', key: 'k' } } },
            ],
          },
        ],
        volumes: [
          { name: 'v', secret: { secretName: 'file' } },
          { name: 'p', projected: { sources: [{ secret: { name: 'projected' } }] } },
        ],
      },
    },
  },
  'batch/v1',
);
const failed = (log: string) =>
  ({ state: 'failed', reason: 'Failed', message: 'Job test failed', log }) as const;

it('the Secrets of a task are those that its containers and volumes name', () => {
  expect(secretsOf(task)).toEqual(['all', 'file', 'one', 'projected']);
});

describe('what looks like a password', () => {
  it.each([
    ['password=hunter2 rest', 'password=<hidden> rest'],
    ['DB_PASSWORD: "two words", next', 'DB_PASSWORD: <hidden>, next'],
    ["{'auth_token': 'abc'}", "{'auth_token': <hidden>}"],
    ['X-Auth-Token: Bearer abc.def', 'X-Auth-Token: <hidden>'],
    [
      'mysql+pymysql://keystone:hunter2@db:3306/keystone',
      'mysql+pymysql://keystone:<hidden>@db:3306/keystone',
    ],
    ['401 on POST /v3/auth/tokens', '401 on POST /v3/auth/tokens'],
    ['the password was wrong', 'the password was wrong'],
  ])('%s', (text, want) => {
    expect(hideIn(text, [])).toBe(want);
  });
});

describe('the report of what failed', () => {
  let world: ActWorld;
  beforeEach(async () => {
    world = await ActWorld.open();
    const data = (text: string) => ({ k: Buffer.from(text).toString('base64') });
    await world.create(
      { ...anObject('Secret', 'one', undefined, 'v1'), data: data('hunter2') } as ClusterObject,
      {
        ...anObject('Secret', 'file', undefined, 'v1'),
        data: data('[db]\nuser is root9\n'),
      } as ClusterObject,
    );
  });
  afterEach(() => world.close());

  it('has no value of a Secret that it refers to, nor a line of one', async () => {
    const report = await hideSecrets(world.ports, task, failed('login hunter2\nread: user is root9'));
    expect(report.log).toBe('login <hidden>\nread: <hidden>');
  });

  it('has no log where a Secret may not be read', async () => {
    const cluster = {
      get: async () => {
        throw new ClusterError('Forbidden', 'no');
      },
    } as never;
    expect(await hideSecrets({ cluster }, task, failed('login hunter2'))).toEqual({
      ...{ state: 'failed', reason: 'Failed', message: 'Job test failed' },
    });
  });

  it('is left as it is while nothing failed', async () => {
    const report = { state: 'done', reason: 'Complete', message: 'password=x' } as const;
    expect(await hideSecrets(world.ports, task, report)).toBe(report);
  });
});
