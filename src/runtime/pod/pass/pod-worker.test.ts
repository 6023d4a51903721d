import { afterEach, describe, expect, test } from 'vitest';
import { PodWorld, type WorldOptions } from '../pod-world.contract.ts';

let world: PodWorld;

async function open(options: WorldOptions = {}): Promise<PodWorld> {
  world = await PodWorld.open(options);
  return world;
}

afterEach(() => world.close());

const quick = { firstSeconds: 0.2, ceilingSeconds: 1, resetSeconds: 5 };

function conditions(pod: { status?: { conditions?: readonly { type: string; status: string }[] } }) {
  return Object.fromEntries((pod.status?.conditions ?? []).map(({ type, status }) => [type, status]));
}

describe('Pods that run', () => {
  test('a Pod is bound, started and ready, with its address', async () => {
    await open();
    await world.createPod('web');
    const pod = await world.sees('web', {
      status: {
        phase: 'Running',
        podIP: '10.1.0.2',
        podIPs: [{ ip: '10.1.0.2' }],
        hostIP: '10.1.0.1',
        qosClass: 'BestEffort',
        containerStatuses: [{ name: 'main', ready: true, started: true, restartCount: 0, image: 'app' }],
      },
    });
    expect(pod.spec.nodeName).toBeTruthy();
    expect(pod.status?.observedGeneration).toBe(pod.metadata.generation);
    expect(conditions(pod)).toEqual({
      PodReadyToStartContainers: 'True',
      Initialized: 'True',
      Ready: 'True',
      ContainersReady: 'True',
      PodScheduled: 'True',
    });
    expect(world.containers.started).toMatchObject([{ name: 'main', attempt: 0, command: ['/bin/app'] }]);
    await expect.poll(() => world.reasons('web')).toEqual(['Scheduled', 'Pulled', 'Created', 'Started']);
  });

  test('a Pod that ends well has succeeded, and its logs stay until it is deleted', async () => {
    await open({ script: () => ({ exitCode: 0 }) });
    await world.createPod('job', {}, { restartPolicy: 'Never' });
    const pod = await world.sees('job', { status: { phase: 'Succeeded' } });
    expect(conditions(pod)).toMatchObject({ Ready: 'False', PodReadyToStartContainers: 'False' });
    expect(await world.logs('job')).toBe('main/0\n');
    await world.delete('job');
    await world.gone('job');
    await expect.poll(() => world.containers.pods(), { timeout: 5000 }).toEqual([]);
  });

  test('a container that fails is restarted at once, then ever later; two runs are kept', async () => {
    await open({ script: () => ({ exitCode: 1 }), backOff: quick });
    await world.createPod('bad');
    await world.sees('bad', {
      status: {
        phase: 'Running',
        containerStatuses: [
          {
            restartCount: 3,
            state: { waiting: { reason: 'CrashLoopBackOff' } },
            lastState: { terminated: { exitCode: 1, reason: 'Error' } },
          },
        ],
      },
    });
    const [pod] = world.containers.pods();
    expect(pod?.runs.length).toBeLessThanOrEqual(2);
    await expect.poll(() => world.reasons('bad')).toContain('BackOff');
    expect(await world.logs('bad', { previous: true })).toMatch(/main\/\d/);
  });

  test('init containers run one after the other, then the main ones', async () => {
    const codes: Record<string, number> = { first: 0, second: 0 };
    await open({ script: ({ name }) => (codes[name] === undefined ? {} : { exitCode: codes[name] }) });
    const init = ['first', 'second'].map(name => ({ name, image: 'app' }));
    await world.createPod('web', {}, { initContainers: init });
    await world.sees('web', { status: { phase: 'Running' } });
    expect(world.containers.started.map(({ name }) => name)).toEqual(['first', 'second', 'main']);
  });

  test('a program that cannot be run is a StartError', async () => {
    await open({ script: () => ({ startError: 'exec: no such file' }) });
    await world.createPod('bad', {}, { restartPolicy: 'Never' });
    await world.sees('bad', {
      status: {
        phase: 'Failed',
        containerStatuses: [
          { state: { terminated: { reason: 'StartError', exitCode: 128, message: 'exec: no such file' } } },
        ],
      },
    });
    await expect.poll(() => world.reasons('bad')).toContain('Failed');
  });

  test('a Pod past its deadline is ended and has failed', async () => {
    await open({ script: () => ({ onTerm: 0 }) });
    await world.createPod('slow', {}, { activeDeadlineSeconds: 1 });
    await world.sees('slow', { status: { phase: 'Failed', reason: 'DeadlineExceeded' } });
  });
});

describe('what is missing', () => {
  test('an unknown image is waited for', async () => {
    await open();
    await world.createPod('web', { image: 'other:1' });
    const waiting = (reason: string) => ({
      status: { phase: 'Pending', containerStatuses: [{ state: { waiting: { reason } } }] },
    });
    await world.sees('web', waiting('ImagePullBackOff'));
    await world.cluster.patch(
      { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'images' },
      {
        type: 'merge',
        value: { data: { more: '{"docker.io/library/other:1": {"command": ["/bin/other"]}}' } },
      },
    );
    await world.sees('web', { status: { phase: 'Running' } });
  });

  test('a missing ConfigMap of a volume: nothing starts until it is there', async () => {
    await open();
    const volumes = [{ name: 'conf', configMap: { name: 'conf' } }];
    await world.createPod('web', { volumeMounts: [{ name: 'conf', mountPath: '/etc/app' }] }, { volumes });
    const pod = await world.sees('web', {
      status: {
        phase: 'Pending',
        containerStatuses: [{ state: { waiting: { reason: 'ContainerCreating' } } }],
      },
    });
    expect(conditions(pod)['PodReadyToStartContainers']).toBe('False');
    expect(pod.status?.podIP).toBeUndefined();
    await world.create('ConfigMap', 'conf', { data: { 'app.conf': 'a' } });
    await world.sees('web', { status: { phase: 'Running' } });
    await expect.poll(() => world.reasons('web')).toContain('FailedMount');
  });

  test('a missing key of a Secret: CreateContainerConfigError until it is there', async () => {
    await open();
    const env = [{ name: 'A', valueFrom: { secretKeyRef: { name: 'keys', key: 'a' } } }];
    await world.create('Secret', 'keys', { stringData: { b: '1' } });
    await world.createPod('web', { env });
    const message = "couldn't find key a in Secret default/keys";
    await world.sees('web', {
      status: {
        containerStatuses: [{ state: { waiting: { reason: 'CreateContainerConfigError', message } } }],
      },
    });
    await world.cluster.patch(
      { apiVersion: 'v1', kind: 'Secret', namespace: 'default', name: 'keys' },
      { type: 'merge', value: { stringData: { a: '2' } } },
    );
    await world.sees('web', { status: { phase: 'Running' } });
    expect(world.containers.started[0]?.env).toMatchObject({ A: '2' });
  });

  test('a node that does not fit, and a gate', async () => {
    await open();
    await world.createPod('far', {}, { nodeSelector: { disk: 'ssd' } });
    await world.createPod('gated', {}, { schedulingGates: [{ name: 'wait' }] });
    const scheduled = (reason: string) => ({
      status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason }] },
    });
    await world.sees('far', scheduled('Unschedulable'));
    await world.sees('gated', scheduled('SchedulingGated'));
  });
});

describe('Pods that end', () => {
  test('hook, SIGTERM, the end is reported, then the Pod goes', async () => {
    await open({ script: () => ({ onTerm: 3 }) });
    const lifecycle = { preStop: { exec: { command: ['drain'] } } };
    await world.createPod('web', { lifecycle }, { terminationGracePeriodSeconds: 30 });
    await world.sees('web', { status: { phase: 'Running' } });
    await world.cluster.patch(
      { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'web' },
      { type: 'merge', value: { metadata: { finalizers: ['test/keep'] } } },
    );
    await world.delete('web');
    await world.sees('web', {
      metadata: { deletionGracePeriodSeconds: 0 },
      status: { phase: 'Failed', containerStatuses: [{ state: { terminated: { exitCode: 3 } } }] },
    });
    expect(world.containers.done).toEqual(['exec main/0 drain', 'SIGTERM main/0', 'kill main/0', 'close']);
    await world.cluster.patch(
      { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'web' },
      { type: 'merge', value: { metadata: { finalizers: null } } },
    );
    await world.gone('web');
  });

  test('one that does not care is killed when its time is over', async () => {
    await open();
    await world.createPod('web');
    await world.sees('web', { status: { phase: 'Running' } });
    const began = performance.now();
    await world.delete('web');
    await world.gone('web');
    expect(performance.now() - began).toBeGreaterThan(1000);
    expect(world.containers.done).toEqual(['SIGTERM main/0', 'kill main/0', 'close']);
  });

  test('nothing is told to end while requests are in flight, for half the time at most', async () => {
    const listeners: ((uid: string) => void)[] = [];
    let isOut = false;
    const gate = {
      isOut: () => isOut,
      onChange: (listener: (uid: string) => void) => void listeners.push(listener),
    };
    await open({ gate, script: () => ({ onTerm: 0 }) });
    const pod = await world.createPod('web', {}, { terminationGracePeriodSeconds: 60 });
    await world.createPod('short', {}, { terminationGracePeriodSeconds: 1 });
    await world.sees('web', { status: { phase: 'Running' } });
    await world.sees('short', { status: { phase: 'Running' } });
    await world.delete('web');
    await world.delete('short');
    await world.gone('short');
    expect(world.containers.done.filter(what => what.startsWith('SIGTERM'))).toEqual(['SIGTERM main/0']);
    isOut = true;
    for (const tell of listeners) tell(pod.metadata.uid);
    await world.gone('web');
  });

  test('a Pod that was removed by force is ended, and one of its name starts only then', async () => {
    await open();
    const { metadata } = await world.createPod('web');
    await world.sees('web', { status: { phase: 'Running' } });
    await world.delete('web', 0);
    await world.createPod('web');
    await world.sees('web', { status: { phase: 'Running' } });
    expect(world.containers.started.map(({ podUid }) => podUid === metadata.uid)).toEqual([true, false]);
    expect(world.containers.done.slice(0, 3)).toEqual(['SIGTERM main/0', 'kill main/0', 'close']);
  });
});

describe('the next manager', () => {
  test('adopts: counts go on, nothing is started twice', async () => {
    await open({ backOff: quick });
    await world.createPod('web');
    await world.sees('web', { status: { phase: 'Running' } });
    const [first] = world.containers.started;
    if (first) world.containers.end(first, 2);
    await world.sees('web', { status: { containerStatuses: [{ restartCount: 1, ready: true }] } });
    await world.stopManager();
    await world.startManager();
    const second = world.containers.started[1];
    if (second) world.containers.end(second, 2);
    await world.sees('web', {
      status: { containerStatuses: [{ restartCount: 2, lastState: { terminated: { exitCode: 2 } } }] },
    });
    expect(world.containers.started.map(({ attempt }) => attempt)).toEqual([0, 1, 2]);
  });

  test('ends what was deleted or removed by force while there was none', async () => {
    await open({ script: () => ({ onTerm: 0 }) });
    await world.createPod('web');
    await world.createPod('forced');
    await world.sees('web', { status: { phase: 'Running' } });
    await world.sees('forced', { status: { phase: 'Running' } });
    await world.stopManager();
    await world.delete('web');
    await world.delete('forced', 0);
    await world.startManager();
    await world.gone('web');
    await expect.poll(() => world.containers.pods(), { timeout: 5000 }).toEqual([]);
  });
});
