import { afterEach, beforeEach, expect, it } from 'vitest';
import { apiVersion } from '../../api/group.ts';
import { Reconciling } from '../../reconcile/reconcile.ts';
import { aPlanStep } from '../../testing/a-plan-step.ts';
import { ActWorld } from '../../testing/act-world.ts';
import { aPart, aWorkload } from '../../testing/scripted-ports.ts';
import type { EngineWorld } from '../engine-world.ts';
import type { FlowObject, PhaseObject, RevisionObject } from '../our-objects.ts';
import { keepInOrder } from './keep-in-order.ts';

let acts: ActWorld;
beforeEach(async () => {
  acts = await ActWorld.open();
});
afterEach(() => acts.close());

const namespace = 'default';
const part = aPart([aWorkload('Deployment', 'api', { replicas: 2 })]);
const keeper = {
  ...{ apiVersion, kind: 'OperationalPhase', metadata: { name: 'settle', namespace, uid: 'u1' } },
  spec: {
    openstackServiceName: 'identity',
    move: { oslc: 'f1', id: 'main/settle:new', task: 'settle', side: 'new' },
  },
  status: { actualState: 'deployed', finishedAt: '2026-01-01T00:00:00.000Z' },
} as unknown as PhaseObject;
const revision = {
  metadata: { name: 'r1' },
  spec: { number: 1, parts: [{ component: 'identity', manifests: ['m1'], slices: ['main'] }], schemas: [] },
} as unknown as RevisionObject;
const flow = (name: string, second: number, status: object) =>
  ({
    metadata: { name, namespace, creationTimestamp: `2026-01-01T00:00:0${second}Z` },
    spec: { planned: { step: aPlanStep('upgrade', { service: 'identity', id: 'identity/upgrade' }) } },
    status: { startedAt: '1', ...status },
  }) as unknown as FlowObject;
const first = flow('f1', 1, { end: 'operational', manifests: ['m1'], newSlices: [] });

/** A manager that knows these objects and nothing else. */
function manager(flows: readonly FlowObject[]): EngineWorld {
  const known = (objects: readonly { metadata: { name?: string } }[]) => ({
    get: (_: string, name: string) => objects.find(({ metadata }) => metadata.name === name),
    by: () => objects,
  });
  const { cluster, ports, clock } = acts;
  return {
    ...{
      cluster,
      clock,
      reconciling: new Reconciling(cluster, { signal: new AbortController().signal, clock }),
    },
    ...{ drivers: () => ports.drivers, traffic: () => ports.traffic, data: ports.data },
    ...{ prepareImages: ports.prepareImages, warmUp: ports.warmUp, answers: ports.answers },
    manifests: { of: async (_: string, names: readonly string[]) => (names.length > 0 ? [part] : []) },
    ...{ flows: known(flows), revisions: known([revision]) },
  } as unknown as EngineWorld;
}

it.each([
  ['after the flow that brought it', [], true],
  ['after a later one that went back', [flow('f2', 2, { end: 'rolledback' })], true],
  ['after a person said no before anything was touched', [flow('f2', 2, { end: 'undone' })], true],
  ['while the next one soaks', [flow('f2', 2, { settledAt: '2', moves: [] })], true],
  ['while the next one runs', [flow('f2', 2, {})], false],
  ['where a person must look first', [flow('f2', 2, { end: 'irreconcilable' })], false],
  ['where the new version is kept for a look', [flow('f2', 2, { end: 'held' })], false],
])('a service is kept as its revision says %s: %#', async (_, later, want) => {
  await keepInOrder(manager([first, ...later]), keeper);
  expect((await acts.find('Deployment', 'api')) !== undefined).toBe(want);
});
