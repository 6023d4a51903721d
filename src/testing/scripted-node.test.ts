import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import type { StoredObject } from '../cluster/cluster.ts';
import type { EmbeddedCluster } from '../cluster/embedded/embedded-cluster.ts';
import { StoreFolder } from '../cluster/embedded/store-folder.contract.ts';
import { FakeClock } from './fake-clock.ts';
import type { RunOutcome, Script, StartedRun } from './node-script.ts';
import { ScriptedNode } from './scripted-node.ts';

const namespace = 'default';
let folder: StoreFolder;
let clock: FakeClock;
let cluster: EmbeddedCluster;

beforeEach(async () => {
  folder = new StoreFolder();
  clock = new FakeClock();
  cluster = await folder.open({ clock });
});
afterEach(() => folder[Symbol.asyncDispose]());

const node = (outcome?: Script) => new ScriptedNode(cluster, { clock, ...(outcome ? { outcome } : {}) });
const apiVersions: Record<string, string> = {
  Job: 'batch/v1',
  CronJob: 'batch/v1',
  Pod: 'v1',
  Service: 'v1',
  EndpointSlice: 'discovery.k8s.io/v1',
};
const typeOf = (kind: string) => ({ apiVersion: apiVersions[kind] ?? 'apps/v1', kind });

function create(kind: string, name: string, spec: JsonObject, metadata: object = {}): Promise<StoredObject> {
  return cluster.create({ ...typeOf(kind), metadata: { name, namespace, ...metadata }, spec });
}

function get(kind: string, name: string): Promise<StoredObject> {
  return cluster.get({ ...typeOf(kind), namespace, name });
}

async function list(kind: string): Promise<readonly StoredObject[]> {
  return (await cluster.list(typeOf(kind), { namespace })).items;
}

const statusOf = (object: StoredObject) => object['status'] as JsonObject;
const conditionsOf = (object: StoredObject) =>
  ((statusOf(object)['conditions'] ?? []) as { type: string; status: string }[])
    .filter(({ status }) => status === 'True')
    .map(({ type }) => type);

const container = (more: JsonObject = {}): JsonObject => ({ name: 'main', image: 'example/x:1', ...more });
const task = (more: JsonObject = {}): JsonObject => ({
  backoffLimit: 1,
  template: {
    metadata: { labels: { app: 'task' } },
    spec: { restartPolicy: 'Never', containers: [container(more)] },
  },
});
const workload = (more: JsonObject = {}): JsonObject => ({
  selector: { matchLabels: { app: 'web' } },
  template: {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [container({ ports: [{ containerPort: 80 }] })] },
  },
  ...more,
});

describe('ScriptedNode', () => {
  it('runs a Job to its end, step by step, and writes down what it did', async () => {
    await create('Job', 'expand', task({ env: [{ name: 'EFFECT', value: 'expand schema' }] }));
    const scripted = node(() => ({
      exitCode: 0,
      seconds: 30,
      result: '{"expandedTo":"a1"}',
      log: 'one\ntwo\nthree',
    }));
    await scripted.settle();
    expect(statusOf(await get('Job', 'expand'))).toMatchObject({ active: 1, ready: 1 });
    const [running] = await list('Pod');
    expect(statusOf(running as StoredObject)).toMatchObject({ phase: 'Running', podIP: expect.any(String) });
    expect(running?.metadata.labels).toMatchObject({ app: 'task', 'batch.kubernetes.io/job-name': 'expand' });
    expect(running?.metadata.ownerReferences).toMatchObject([
      { kind: 'Job', name: 'expand', controller: true },
    ]);
    expect(scripted.nextChange()).toBe(30_000);
    await clock.advance(29_999);
    await scripted.settle();
    expect(conditionsOf(await get('Job', 'expand'))).toEqual([]);
    await clock.advance(1);
    await scripted.settle();
    const done = await get('Job', 'expand');
    expect(conditionsOf(done)).toEqual(['SuccessCriteriaMet', 'Complete']);
    expect(statusOf(done)).toMatchObject({ succeeded: 1, completionTime: '2026-01-01T00:00:30Z' });
    const [pod] = await list('Pod');
    expect(statusOf(pod as StoredObject)).toMatchObject({
      phase: 'Succeeded',
      containerStatuses: [
        { state: { terminated: { exitCode: 0, reason: 'Completed', message: '{"expandedTo":"a1"}' } } },
      ],
    });
    const of = { namespace, pod: pod?.metadata.name ?? '', container: 'main' };
    expect(await scripted.logs.tail(of, 2)).toBe('two\nthree');
    expect([scripted.ledger.carriedOut('expand'), scripted.ledger.carriedOut('expand schema')]).toEqual([
      1, 1,
    ]);
    expect(scripted.ledger.effects()).toEqual(new Map([['expand schema', 1]]));
    expect(scripted.nextChange()).toBeUndefined();
  });

  it('tries a Job that fails again, after a while, and then gives up', async () => {
    await create('Job', 'test', task({ terminationMessagePolicy: 'FallbackToLogsOnError' }));
    const scripted = node(() => ({ exitCode: 3, seconds: 0, log: 'it broke' }));
    await scripted.settle();
    expect(scripted.ledger.carriedOut('Job test')).toBe(1);
    expect(statusOf(await get('Job', 'test'))).toMatchObject({ failed: 1 });
    for (let waits = 0; waits < 3 && scripted.nextChange() !== undefined; waits++) {
      await clock.advance(scripted.nextChange() ?? 0);
      await scripted.settle();
    }
    expect(scripted.ledger.carriedOut('test')).toBe(2);
    expect(scripted.ledger.succeeded('test')).toBe(0);
    const failed = await get('Job', 'test');
    expect(conditionsOf(failed)).toEqual(['FailureTarget', 'Failed']);
    expect(statusOf(failed)['conditions']).toMatchObject([{}, { reason: 'BackoffLimitExceeded' }]);
    const [pod] = await list('Pod');
    expect(statusOf(pod as StoredObject)).toMatchObject({
      phase: 'Failed',
      containerStatuses: [{ state: { terminated: { exitCode: 3, reason: 'Error', message: 'it broke' } } }],
    });
  });

  it('does a Job that was deleted and made again a second time: the ledger tells', async () => {
    const scripted = node();
    for (let times = 0; times < 2; times++) {
      await create('Job', 'expand', task({ args: ['run', 'EFFECT=expand'] }));
      await scripted.settle();
      await cluster.delete({ ...typeOf('Job'), namespace, name: 'expand' }, { propagation: 'Background' });
      await scripted.settle();
      expect(await list('Pod')).toEqual([]);
    }
    expect(scripted.ledger.effects()).toEqual(new Map([['expand', 2]]));
  });

  it('rolls a Deployment out and over, and leads its Service to what is ready', async () => {
    await create('Deployment', 'web', workload({ replicas: 2 }));
    await create('Service', 'web', { selector: { app: 'web' }, ports: [{ port: 8080, targetPort: 80 }] });
    const scripted = node();
    await scripted.settle();
    const first = await get('Deployment', 'web');
    expect(statusOf(first)).toMatchObject({
      observedGeneration: 1,
      replicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
    });
    expect(conditionsOf(first).sort()).toEqual(['Available', 'Progressing']);
    const service = await get('Service', 'web');
    expect(service['spec']).toMatchObject({ clusterIP: expect.stringMatching(/^10\.96\./) });
    const endpoints = async () => {
      const [slice] = await list('EndpointSlice');
      return slice?.['endpoints'] as { targetRef: { name: string }; conditions: { ready: boolean } }[];
    };
    const before = (await endpoints()).map(({ targetRef }) => targetRef.name);
    expect(before).toEqual((await list('Pod')).map(({ metadata }) => metadata.name));
    const image = { spec: { template: { spec: { containers: [container({ image: 'example/x:2' })] } } } };
    await cluster.patch({ ...typeOf('Deployment'), namespace, name: 'web' }, { type: 'merge', value: image });
    await scripted.settle();
    const second = statusOf(await get('Deployment', 'web'));
    expect(second).toMatchObject({
      observedGeneration: 2,
      updatedReplicas: 2,
      readyReplicas: 2,
      replicas: 2,
    });
    const after = await endpoints();
    expect(after.map(({ conditions }) => conditions.ready)).toEqual([true, true]);
    expect(after.filter(({ targetRef }) => before.includes(targetRef.name))).toEqual([]);
  });

  it('leaves a Deployment unavailable whose containers are not ready', async () => {
    const probe = { readinessProbe: { httpGet: { path: '/', port: 80 } } };
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [container(probe)] } };
    await create('Deployment', 'web', workload({ replicas: 1, template }));
    await node(() => ({ serves: false })).settle();
    expect(statusOf(await get('Deployment', 'web'))).toMatchObject({ unavailableReplicas: 1 });
    expect((await list('Pod')).map(pod => statusOf(pod)['phase'])).toEqual(['Running']);
  });

  it('says of an image that cannot be had what a kubelet says, until it can', async () => {
    await create('Job', 'pull', task());
    let outcome: RunOutcome = { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image' } };
    const scripted = node(() => outcome);
    await scripted.settle();
    const [pod] = await list('Pod');
    expect(statusOf(pod as StoredObject)).toMatchObject({
      phase: 'Pending',
      containerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff' } } }],
    });
    outcome = { exitCode: 0, seconds: 0 };
    await scripted.settle();
    expect(conditionsOf(await get('Job', 'pull'))).toContain('Complete');
  });

  it('starts nothing whose config is not there', async () => {
    await create('Job', 'needy', task({ envFrom: [{ secretRef: { name: 'keys' } }] }));
    const scripted = node();
    await scripted.settle();
    expect(scripted.ledger.runs()).toEqual([]);
    await cluster.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'keys', namespace },
      data: {},
    });
    await scripted.settle();
    expect(scripted.ledger.succeeded('needy')).toBe(1);
  });

  it('brings StatefulSets with claims, DaemonSets and bare Pods up', async () => {
    const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const set = workload({
      replicas: 2,
      serviceName: 'db',
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }],
    });
    await create('StatefulSet', 'db', set);
    await create('DaemonSet', 'agent', workload());
    await create('Pod', 'alone', { containers: [container()], restartPolicy: 'Never' });
    const scripted = node();
    await scripted.settle();
    expect(statusOf(await get('StatefulSet', 'db'))).toMatchObject({
      readyReplicas: 2,
      observedGeneration: 1,
    });
    expect(statusOf(await get('DaemonSet', 'agent'))).toMatchObject({
      numberReady: 1,
      desiredNumberScheduled: 1,
    });
    expect(statusOf(await get('Pod', 'alone'))).toMatchObject({ phase: 'Succeeded' });
    const claims = await cluster.list({ apiVersion: 'v1', kind: 'PersistentVolumeClaim' }, { namespace });
    expect(claims.items.map(item => statusOf(item)['phase'])).toEqual(['Bound', 'Bound']);
    expect(scripted.ledger.carriedOut('Pod alone')).toBe(1);
  });

  it('runs a CronJob when its time comes', async () => {
    const jobTemplate = { spec: task() };
    await create('CronJob', 'backup', { schedule: '0 * * * *', jobTemplate });
    const scripted = node();
    await scripted.settle();
    expect(await list('Job')).toEqual([]);
    await clock.advance(scripted.nextChange() ?? 0);
    await scripted.settle();
    expect((await list('Job')).map(conditionsOf)).toEqual([['SuccessCriteriaMet', 'Complete']]);
  });

  it('takes Pods away when their owner goes, and ends what ran', async () => {
    await create('Deployment', 'web', workload({ replicas: 3 }));
    const scripted = node();
    await scripted.settle();
    await cluster.delete({ ...typeOf('Deployment'), namespace, name: 'web' }, { propagation: 'Foreground' });
    await scripted.settle();
    expect(await list('Pod')).toEqual([]);
    expect(scripted.ledger.runs().map(({ exitCode }) => exitCode)).toEqual([143, 143, 143]);
  });

  it('asks the script about every run once, in init containers too', async () => {
    const asked: string[] = [];
    const script: Script = ({ owner, container: { name }, attempt }: StartedRun) => {
      asked.push(`${owner?.kind} ${owner?.name} ${name} ${attempt}`);
      return { exitCode: name === 'main' && attempt === 0 ? 1 : 0, seconds: 1 };
    };
    const spec = {
      restartPolicy: 'OnFailure',
      initContainers: [container({ name: 'wait' })],
      containers: [container()],
    };
    await create('Job', 'sync', { backoffLimit: 4, template: { spec } });
    const scripted = node(script);
    await scripted.settle();
    while (scripted.nextChange() !== undefined) {
      await clock.advance(scripted.nextChange() ?? 0);
      await scripted.settle();
    }
    expect(asked).toEqual(['Job sync wait 0', 'Job sync main 0', 'Job sync main 1']);
    expect(conditionsOf(await get('Job', 'sync'))).toContain('Complete');
  });

  it('does the same in every run', async () => {
    const story = async () => {
      await using other = new StoreFolder();
      const time = new FakeClock();
      const world = await other.open({ clock: time });
      const scripted = new ScriptedNode(world, { clock: time });
      const scale = (replicas: number) =>
        world.patch(
          { ...typeOf('Deployment'), namespace, name: 'web' },
          { type: 'merge', value: { spec: { replicas } } },
        );
      const metadata = { name: 'web', namespace };
      await world.create({ ...typeOf('Deployment'), metadata, spec: workload({ replicas: 4 }) });
      await scripted.settle();
      await scale(2);
      await scripted.settle();
      const pods = (await world.list(typeOf('Pod'), { namespace })).items;
      return pods.map(pod => [pod.metadata.name, statusOf(pod)['podIP']]);
    };
    const first = await story();
    expect(first).toHaveLength(2);
    expect(await story()).toEqual(first);
  });
});
