/** What can never finish on a real cluster: named with its reason long before its deadline, and the flow takes its way back. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ClusterObject } from '../../src/cluster/cluster.ts';
import type { FlowObject } from '../../src/controller/our-objects.ts';
import type { JourneyWorld } from '../journeys/engine/journey-world.ts';
import { aService, type ServiceWish } from '../journeys/promises/service-package.ts';
import { openNodeWorld } from './node-world.ts';

interface Stuck {
  readonly name: string;
  readonly says: string;
  readonly wish: ServiceWish;
  /** The move it fails in, and what is said of it. */
  readonly because: RegExp;
}

const priorityClass = 'afloat-stuck';
const shell = { name: 'waits', image: 'promises/shell:1' };

const cases: readonly Stuck[] = [
  {
    ...{ name: 'noimage', says: 'software whose image is not there' },
    wish: { container: { image: 'promises/nowhere:1' } },
    because: /^main\/apply:new: Deployment noimage-\w+: .*promises\/nowhere:1/s,
  },
  {
    ...{ name: 'notest', says: 'a test whose image is not there' },
    wish: { test: 'true', testContainer: { image: 'promises/nowhere:1' } },
    because: /^main\/test:new: Job notest-test: .*promises\/nowhere:1/s,
  },
  {
    ...{ name: 'crashes', says: 'software that crashes again and again' },
    wish: { container: { command: ['sh', '-c', 'echo told to crash; exit 3'] } },
    because: /^main\/apply:new: Deployment crashes-\w+: .*exit code 3.*told to crash/s,
  },
  {
    ...{ name: 'toobig', says: 'software that needs more memory than it may have' },
    wish: {
      container: {
        command: ['node', '-e', 'const all = []; setInterval(() => all.push(Buffer.alloc(8e6, 1)), 20)'],
        resources: { limits: { memory: '40Mi' } },
      },
    },
    because: /^main\/apply:new: Deployment toobig-\w+: .*memory/s,
  },
  {
    ...{ name: 'noroom', says: 'software that no node has room for' },
    wish: { container: { resources: { requests: { cpu: '999' } } } },
    because: /^main\/apply:new: Deployment noroom-\w+: .*[Ii]nsufficient cpu/s,
  },
  {
    ...{ name: 'waits', says: 'an init container that waits for a service that is not there' },
    wish: {
      podSpec: {
        initContainers: [
          { ...shell, args: ['until nslookup not-there.default.svc.cluster.local; do sleep 1; done'] },
        ],
      },
      deadline: 20,
    },
    because: /^main\/apply:new: .*Deployment waits-\w+: .*waits/s,
  },
  {
    ...{ name: 'quota', says: 'software that the quota of its namespace does not allow' },
    wish: { podSpec: { priorityClassName: priorityClass } },
    because: /^main\/apply:new: Deployment quota-\w+ .*exceeded quota/s,
  },
  {
    ...{ name: 'refused', says: 'software that the cluster refuses to admit' },
    wish: { podLabels: { refuse: 'me' } },
    because: /^main\/apply:new: Deployment refused-\w+ .*no such Pods here/s,
  },
];

/** A quota of nothing for Pods of one priority, and a policy against Pods with one label: both in this namespace alone. */
function rulesOf(namespace: string): readonly ClusterObject[] {
  const policies = 'admissionregistration.k8s.io/v1';
  const name = `${namespace}-refuses`;
  return [
    {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: priorityClass },
      value: 1,
    },
    {
      ...{ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'none', namespace } },
      spec: {
        hard: { pods: '0' },
        scopeSelector: {
          matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: [priorityClass] }],
        },
      },
    },
    {
      ...{ apiVersion: policies, kind: 'ValidatingAdmissionPolicy', metadata: { name } },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          objectSelector: { matchLabels: { refuse: 'me' } },
          resourceRules: [
            { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] },
          ],
        },
        validations: [{ expression: 'false', message: 'no such Pods here' }],
      },
    },
    {
      ...{ apiVersion: policies, kind: 'ValidatingAdmissionPolicyBinding', metadata: { name } },
      spec: {
        policyName: name,
        validationActions: ['Deny'],
        matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } },
      },
    },
  ];
}

let world: JourneyWorld;
const ends = new Map<string, FlowObject>();
const apply = (version: string) =>
  world.apply({ maxParallel: 4, services: cases.map(({ name }) => ({ name, version })) });

beforeAll(async () => {
  world = await openNodeWorld();
  for (const rule of rulesOf(world.namespace)) await world.cluster.create(rule);
  for (const { name, wish } of cases) {
    aService(world, name, '1.0.0');
    aService(world, name, '1.1.0', wish);
  }
  await apply('1.0.0');
  await world.untilReady(90);
  await apply('1.1.0');
  await world.until(
    'the end of every flow',
    async () => {
      for (const flow of await world.flows())
        if (flow.spec.flowKind === 'upgrade' && flow.status?.end !== undefined)
          ends.set(flow.spec.serviceName, flow);
      return ends.size === cases.length;
    },
    90,
  );
}, 500_000);
afterAll(async () => {
  const clusterWide = rulesOf(world.namespace).filter(({ metadata }) => metadata.namespace === undefined);
  for (const { apiVersion, kind, metadata } of clusterWide)
    await world.cluster.delete({ apiVersion, kind, name: metadata.name ?? '' });
  await world.close();
}, 180_000);

describe.each(cases)('$says', ({ name, because }) => {
  test('ends the upgrade with its reason, long before its deadline, and the old version serves on', async () => {
    const { status } = ends.get(name) ?? expect.unreachable();
    expect(status?.because).toMatch(because);
    expect(status?.end).toBe('rolledback');
    const { startedAt = '', finishedAt = '' } = status ?? {};
    expect(Date.parse(finishedAt) - Date.parse(startedAt)).toBeLessThan(120_000);
    expect(await world.serving(name)).toMatchObject({ version: '1.0.0' });
  });
});
