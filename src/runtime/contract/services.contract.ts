import { expect } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import type { StoredObject } from '../../cluster/cluster.ts';
import { eachSecond, pod, service, sh, webServer, workload } from './manifests.contract.ts';
import type { RuntimeTopic } from './run-topics.contract.ts';
import { type RuntimeCase, types } from './runtime-case.contract.ts';
import { statusOf } from './views.contract.ts';

interface Slice {
  readonly addressType: string;
  readonly endpoints: readonly Endpoint[] | null;
  readonly ports: readonly JsonObject[] | null;
}

interface Endpoint {
  readonly addresses: readonly string[];
  readonly conditions: JsonObject;
  readonly targetRef?: { readonly kind: string; readonly name: string };
}

/** What the slices of a Service say about its Pods: `web-0 ready`. */
function endpoints(slices: readonly StoredObject[]): string[] {
  return slices
    .flatMap(slice => (slice as unknown as Slice).endpoints ?? [])
    .map(({ targetRef, conditions }) => `${targetRef?.name} ${conditions['ready'] ? 'ready' : 'not ready'}`)
    .sort();
}

/** The body that a Service gives, when it does. */
function answer(run: RuntimeCase, url: string, isSo: (body: string) => boolean): Promise<string> {
  return run.eventually(url, () => run.world.fetch(url), isSo);
}

const web = { command: webServer, readinessProbe: eachSecond({ tcpSocket: { port: 8080 } }) };

export const serviceCases: RuntimeTopic = {
  topic: 'Services',
  cases: {
    'a Service is reached by its address and by its names': async run => {
      const made = await run.create(service('web'));
      await run.create(pod('web', web));
      // A server gives it in its answer, the runtime a moment later.
      const clusterIP = await run.eventually(
        'the Service has an address',
        async () =>
          ((await run.cluster.get(run.ref(made)))['spec'] as { clusterIP?: string }).clusterIP ?? '',
        address => /^[0-9.]+$/.test(address),
      );
      await answer(run, `http://${clusterIP}/`, body => body === 'web\n');
      for (const name of ['svc.cluster.local', 'svc']) {
        await answer(run, `http://web.${run.namespace}.${name}/`, body => body === 'web\n');
      }
      const command = sh(`until test "$(wget -qO- http://web)" = web; do sleep 0.5; done`);
      const client = await run.create(pod('client', { command }, { restartPolicy: 'Never' }));
      await run.sees(client, { phase: 'Succeeded' });
    },
    'its slices name its Pods, their ports and who they are': async run => {
      const made = await run.create(service('web'));
      const target = await run.create(pod('web', web));
      const up = await run.sees(target, { conditions: { Ready: 'True' } });
      const slice = await run.seesAll(types.EndpointSlice, 'a ready endpoint', slices => {
        return endpoints(slices).join() === 'web ready' && slices[0];
      });
      expect(slice.metadata.labels).toMatchObject({
        'kubernetes.io/service-name': 'web',
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
      });
      expect(slice.metadata.ownerReferences).toMatchObject([
        { apiVersion: 'v1', kind: 'Service', name: 'web', uid: made.metadata.uid, controller: true },
      ]);
      expect(slice as unknown as Slice).toMatchObject({
        addressType: 'IPv4',
        ports: [{ name: '', port: 8080, protocol: 'TCP' }],
        endpoints: [
          {
            addresses: [statusOf(up)['podIP']],
            conditions: { ready: true, serving: true, terminating: false },
            targetRef: { kind: 'Pod', name: 'web', namespace: run.namespace, uid: up.metadata.uid },
          },
        ],
      });
    },
    'a target port by name': async run => {
      await run.create(service('web', { ports: [{ name: 'http', port: 81, targetPort: 'web' }] }));
      await run.create(pod('web', { ...web, ports: [{ name: 'web', containerPort: 8080 }] }));
      await answer(run, `http://web.${run.namespace}.svc:81/`, body => body === 'web\n');
      const [slice] = await run.now(types.EndpointSlice);
      expect((slice as unknown as Slice).ports).toEqual([{ name: 'http', port: 8080, protocol: 'TCP' }]);
    },
    'all Pods of it get requests, and one that is not ready gets none': async run => {
      await run.create(service('web'));
      const probe = eachSecond({ httpGet: { path: '/ready', port: 8080 } });
      const made = await run.create(
        workload('Deployment', 'web', { command: webServer, readinessProbe: probe }, { replicas: 2 }),
      );
      await run.sees(made, { availableReplicas: 2 });
      await run.seesAll(types.EndpointSlice, 'two endpoints', slices => {
        return endpoints(slices).filter(one => one.endsWith(' ready')).length === 2;
      });
      const url = `http://web.${run.namespace}.svc/`;
      const answers = new Set<string>();
      await answer(run, url, body => answers.add(body).size === 2);
      const [leaves, stays] = await run.now(types.Pod);
      await run.world.fetch(`http://${String(leaves && statusOf(leaves)['podIP'])}:8080/cgi-bin/unready`);
      await run.seesAll(types.EndpointSlice, 'one is not ready', slices => {
        return endpoints(slices).includes(`${leaves?.metadata.name} not ready`);
      });
      let inARow = 0; // the rules of a node follow the slices a little later
      await answer(run, url, body => {
        inARow = body === `${stays?.metadata.name}\n` ? inARow + 1 : 0;
        return inARow === 10;
      });
    },
    'a Service without a selector has the endpoints that somebody wrote': async run => {
      const target = await run.create(pod('target', web));
      const up = await run.sees(target, { conditions: { Ready: 'True' } });
      await run.create({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'web' },
        spec: { ports: [{ port: 80, targetPort: 8080 }] },
      });
      await run.create({
        ...types.EndpointSlice,
        metadata: { name: 'by-hand', labels: { 'kubernetes.io/service-name': 'web' } },
        addressType: 'IPv4',
        ports: [{ name: '', port: 8080, protocol: 'TCP' }],
        endpoints: [{ addresses: [statusOf(up)['podIP']], conditions: { ready: true } }],
      });
      await answer(run, `http://web.${run.namespace}.svc/`, body => body === 'target\n');
    },
    'a headless Service has no address, and slices all the same': async run => {
      const made = await run.create(service('web', { clusterIP: 'None' }));
      expect(made['spec']).toMatchObject({ clusterIP: 'None' });
      await run.create(pod('web', web));
      const slice = await run.seesAll(types.EndpointSlice, 'a ready endpoint', slices => {
        return endpoints(slices).join() === 'web ready' && slices[0];
      });
      expect(slice.metadata.labels).toHaveProperty(['service.kubernetes.io/headless'], '');
      await answer(run, `http://web.${run.namespace}.svc:8080/`, body => body === 'web\n');
    },
    'publishNotReadyAddresses: also Pods that are not ready': async run => {
      await run.create(service('web', { publishNotReadyAddresses: true }));
      const probe = eachSecond({ exec: { command: ['false'] } });
      await run.create(pod('web', { command: webServer, readinessProbe: probe }));
      await run.seesAll(
        types.EndpointSlice,
        'an endpoint',
        slices => endpoints(slices).join() === 'web ready',
      );
      await answer(run, `http://web.${run.namespace}.svc/`, body => body === 'web\n');
    },
    'a Service that is deleted takes its slices along': async run => {
      const made = await run.create(service('web'));
      await run.create(pod('web', web));
      await run.seesAll(types.EndpointSlice, 'a slice', slices => slices.length === 1);
      await run.remove(made);
      await run.seesAll(types.EndpointSlice, 'no slice', slices => slices.length === 0);
    },
  },
};
