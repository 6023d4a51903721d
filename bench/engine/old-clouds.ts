import { apiVersion } from '../../src/api/group.ts';
import { managedBy, managedByLabel, serviceLabel } from '../../src/api/labels.ts';
import type { PlanStep } from '../../src/api/lifecycle-plan.ts';
import { digestJson } from '../../src/base/digest.ts';
import type { Cluster, ClusterObject } from '../../src/cluster/cluster.ts';
import { flowType, revisionType } from '../../src/controller/our-objects.ts';
import { keepManifests, manifestPrefix } from '../../src/controller/store/manifest-store.ts';
import { readPackage } from '../../src/package/read-package.ts';
import { aPlanStep } from '../../src/testing/a-plan-step.ts';
import { approvedPlan, namespaceObject, recordName, recordObject, stillPackages } from './bench-clouds.ts';
import { inTurns } from './store-folder.ts';

/** An object and the status it has. */
interface Old {
  readonly object: ClusterObject;
  readonly status?: Readonly<Record<string, unknown>>;
}

/** The history of one service: ten changes that ended, each with what it leaves; and what runs. */
const changes = 10;
const pods = 6;
const at = '2026-03-14T02:00:00Z';
const phaseKindsOfInstall = [
  'PlanningPhase',
  'InstallPhase',
  'TestPhase',
  'TrafficRolloutPhase',
  'OperationalPhase',
];

/** How many resources one service of an old cloud is. */
const resourcesPerService = changes * (1 + phaseKindsOfInstall.length + 1 + 1) + pods + 2;

/**
 * Clouds that have been there for long, of about so many resources: for each service ten revisions and ended flows with five ended
 * phases each and the Secret with their manifests, and beside them Pods, ConfigMaps and ended plans. Returns how many resources there are.
 */
export async function fillWithOldClouds(cluster: Cluster, resources: number): Promise<number> {
  const services = Math.max(1, Math.floor(resources / resourcesPerService));
  const perCloud = 10;
  let made = 0;
  const put = async ({ object, status }: Old) => {
    const { kind, apiVersion: version, metadata } = await cluster.create(object);
    made += 1;
    if (!status) return;
    const ref = { apiVersion: version, kind, name: metadata.name, namespace: metadata.namespace ?? '' };
    await cluster.patch(ref, { type: 'merge', value: { status } as never }, { subresource: 'status' });
  };
  for (let first = 0; first < services; first += perCloud) {
    const namespace = `old-${first / perCloud}`;
    await put({ object: namespaceObject(namespace) });
    const names = Array.from(
      { length: Math.min(perCloud, services - first) },
      (_, index) => `service-${index}`,
    );
    await put({ object: recordObject(namespace, names) });
    for (let number = 1; number <= changes; number++)
      await put({
        object: approvedPlan(namespace, `plan-${number}`, ...names.map(service => stepOf(service, number))),
        status: { state: 'Done', ...ended },
      });
    await inTurns(names, 4, service => keepLast(cluster, namespace, service));
    await inTurns(
      names.flatMap(service => objectsOf(namespace, service)),
      32,
      put,
    );
    made += names.length;
  }
  return made;
}

const ended = { startedAt: at, finishedAt: at };

function stepOf(service: string, number: number): PlanStep {
  const flow = number === 1 ? 'install' : 'reconfigure';
  return aPlanStep(flow, { id: `${service}/${flow}`, service });
}

/** The manifests of what runs now: the engine reads them to keep it in order. */
async function keepLast(cluster: Cluster, namespace: string, service: string): Promise<void> {
  const read = await stillPackages.read({ type: 'local', location: `${service}/1.0.0` });
  const found = read.ok ? readPackage(read.files, service) : undefined;
  if (!found || !('package' in found) || !found.package)
    throw new Error('the package of the benchmark is not one');
  const { lifecycle, digest } = found.package;
  const objects = ['settings', 'scripts'].map(name => ({
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${service}-${name}` }, data: texts },
    ...{ role: 'support' as const, phases: ['install' as const], file: 'settings.yaml' },
  }));
  await keepManifests(
    cluster,
    namespace,
    { flow: `${service}-f${changes}`, name: `${service}-${changes}` },
    {
      ...{ service, version: '1.0.0', component: service, packageDigest: digest, lifecycle, objects },
      ...{ images: [], inventory: [], secretDigests: [] },
    },
  );
}

const texts = { text: 'x'.repeat(1000) };

function objectsOf(namespace: string, service: string): Old[] {
  const labels = { [managedByLabel]: managedBy, [serviceLabel]: service };
  const meta = (name: string) => ({ name, namespace, labels });
  const all: Old[] = [];
  for (let number = 1; number <= changes; number++) {
    const step = stepOf(service, number);
    const [plan, oslc, secret] = [
      `plan-${number}`,
      `${service}-f${number}`,
      `${manifestPrefix}${service}-${number}-0`,
    ];
    const planned = { deployment: recordName, plan, step, serviceAccountName: 'default' };
    all.push(
      {
        object: {
          ...flowType,
          metadata: meta(oslc),
          spec: {
            serviceName: service,
            source: { type: 'plan', location: plan },
            flowKind: step.flow,
            planned,
          },
        },
        status: {
          ...{ ...ended, end: 'operational', actualState: 'deployed', satisfied: true, settledAt: at },
          ...{ manifests: [secret], newSlices: ['main'], revision: number },
        },
      },
      ...phaseKindsOfInstall.map((kind, index) => phaseOf({ kind, index, service, oslc, meta, plan })),
      { object: revisionOf({ namespace, service, number, flow: step.flow, oslc, plan, secret, labels }) },
    );
    if (number < changes)
      all.push({
        object: {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: meta(secret),
          data: { manifests: Buffer.alloc(1500, secret).toString('base64') },
        },
      });
  }
  for (let number = 0; number < pods; number++)
    all.push({
      object: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: meta(`${service}-${number}`),
        spec: { containers: [{ name: 'main', image: `example/${service}:1` }] },
      },
      status: { phase: 'Running' },
    });
  for (const name of ['settings', 'scripts'])
    all.push({
      object: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: meta(`${service}-${name}`),
        data: texts,
      },
    });
  return all;
}

function phaseOf(of: {
  readonly kind: string;
  readonly index: number;
  readonly service: string;
  readonly oslc: string;
  readonly plan: string;
  readonly meta: (name: string) => ClusterObject['metadata'];
}): Old {
  const { kind, index, service, oslc, plan, meta } = of;
  const task = (['check', 'apply', 'test', 'give-traffic', 'settle'] as const)[index] ?? 'check';
  return {
    object: {
      apiVersion,
      kind,
      metadata: meta(`${oslc}-${task}`),
      spec: {
        openstackServiceName: service,
        source: { type: 'plan', location: plan },
        move: { oslc, id: `main/${task}:new`, task, side: 'new' },
      },
    },
    status: { actualState: 'deployed', satisfied: true, startedAt: at, finishedAt: at, epoch: 1 },
  };
}

function revisionOf(of: {
  readonly namespace: string;
  readonly service: string;
  readonly number: number;
  readonly flow: string;
  readonly oslc: string;
  readonly plan: string;
  readonly secret: string;
  readonly labels: Readonly<Record<string, string>>;
}): ClusterObject {
  const { namespace, service, number, flow, oslc, plan, secret, labels } = of;
  const item = (kind: string, name: string) => ({
    ...{ apiVersion: 'v1', kind, name, role: 'support', phases: ['install'], digest: digestJson(name) },
  });
  const part = {
    ...{ component: service, version: '1.0.0', packageDigest: digestJson(service) },
    inventory: [item('ConfigMap', `${service}-settings`), item('ConfigMap', `${service}-scripts`)],
    ...{ slices: ['main'], manifests: [secret] },
  };
  return {
    ...revisionType,
    metadata: { name: `${service}-r${number}`, namespace, labels },
    spec: { deployment: recordName, service, number, version: '1.0.0', flow, parts: [part], oslc, plan },
  };
}
