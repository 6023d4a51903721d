/** What flows that a chart brings along do on any cluster. Helm is played: what it would write is said by a function. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { finding } from '../../api/finding.ts';
import { apiVersion } from '../../api/group.ts';
import { findObject } from '../../cluster/find-object.ts';
import { piece, ScriptedCharts } from '../../package/chart/scripted-charts.contract.ts';
import type { PackageSource } from '../../package/source.ts';
import { beginLife, type HandMadePlace, type HandMadeWorld, until } from '../hand-made-world.contract.ts';
import { type FlowObject, flowType } from '../our-objects.ts';

const phase = (kind: string, targetState: string) =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: hello-${kind.toLowerCase()} }\nspec:\n  openstackServiceName: hello\n  targetState: ${targetState}\n  source: { type: tar, location: hello }\n`;

/** As the earlier operator's charts write it: a phase gets its target state, then it is waited for. */
const letHappen = (kind: string) => [
  {
    name: `set-${kind}`,
    resource: {
      ...{ action: 'patch', mergeStrategy: 'merge' },
      manifest: `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: hello-${kind.toLowerCase()} }\nspec: { targetState: deployed }\n`,
    },
  },
  {
    name: `await-${kind}`,
    resource: {
      ...{ action: 'get', successCondition: 'status.actualState == deployed' },
      manifest: `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: hello-${kind.toLowerCase()} }\n`,
    },
  },
];

function workflow(kinds: readonly string[]): string {
  const templates = kinds.flatMap(letHappen);
  const steps = templates.map(({ name }) => [{ name, template: name }]);
  return JSON.stringify({
    ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Workflow', metadata: { name: 'hello-all' } },
    spec: { entrypoint: 'all', templates: [{ name: 'all', steps }, ...templates] },
  });
}

const config = (name: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { of: a }\n`;

/** What each flow of the chart is made of. */
const flows: Readonly<Record<string, readonly string[]>> = {
  'all-phases': [
    phase('InstallPhase', 'uninitialized'),
    phase('TestPhase', 'uninitialized'),
    workflow(['InstallPhase', 'TestPhase']),
  ],
  'one-phase': [phase('InstallPhase', 'deployed'), config('beside')],
  'bad-phase': [phase('DeletePhase', 'deployed')],
  elsewhere: ['apiVersion: v1\nkind: Namespace\nmetadata: { name: hello-other }\n'],
};

function packages(): PackageSource & { readonly charts: ScriptedCharts } {
  const charts = new ScriptedCharts(({ values }) => {
    const { stage, flow_kind: flow = '' } = (values['oslc'] ?? {}) as { stage?: string; flow_kind?: string };
    const documents = stage === undefined ? (flows[flow] ?? []) : [documentOf(stage)];
    return documents.map((text, index) => piece(`templates/${index}.yaml`, text)).join('');
  });
  const file = (path: string, text: string) => ({
    ...{ path, bytes: new TextEncoder().encode(text), executable: false },
  });
  return {
    charts,
    read: async ({ location }) =>
      location === 'hello'
        ? {
            ok: true,
            files: [
              file('Chart.yaml', 'apiVersion: v2\nname: hello\nversion: 1.0.0\n'),
              file('templates/all.yaml', '{{ .Values.oslc.stage }}\n'),
            ],
          }
        : { ok: false, findings: [finding('PackageNotInCluster', `${location} is not in the cluster`)] },
  };
}

/** A Job that nobody runs never ends; all else is there at once. */
function documentOf(stage: string): string {
  return stage === 'delete' ? 'apiVersion: v1\nkind: 7\n' : config(`hello-of-${stage}`);
}

/** Holds flows that are brought along to what they promise, on a cluster. */
export function broughtFlowContract(name: string, open: () => Promise<HandMadeWorld>): void {
  describe(name, () => {
    let world: HandMadeWorld;
    beforeAll(async () => {
      world = await open();
    }, 120_000);
    afterAll(() => world.close(), 60_000);

    const begin = async (flowKind: string, location = 'hello') => {
      const place = { namespace: await world.newNamespace(), packages: packages() };
      const life = await beginLife(world, place);
      await world.cluster.create({
        ...{ apiVersion, kind: 'Oslc', metadata: { name: 'flow', namespace: place.namespace } },
        spec: { serviceName: 'hello', flowKind, source: { type: 'tar', location } },
      });
      return { place, life };
    };
    const flowIn = async ({ namespace }: HandMadePlace) =>
      (await findObject(world.cluster, { ...flowType, namespace, name: 'flow' })) as FlowObject | undefined;
    const untilState = (place: HandMadePlace, state: string) =>
      until(state, async () => {
        const flow = await flowIn(place);
        return flow?.status?.actualState === state && flow;
      });
    const find = (place: HandMadePlace, kind: string, objectName: string, of = apiVersion) =>
      findObject(world.cluster, { apiVersion: of, kind, namespace: place.namespace, name: objectName });

    test('a chart that lets its phases happen one after the other needs no Argo', async () => {
      const { place, life } = await begin('all-phases');
      const flow = await untilState(place, 'deployed');
      expect(flow.status).toMatchObject({ satisfied: true });
      expect(flow.status?.conditions?.find(({ type }) => type === 'Deployed')?.status).toBe('True');
      for (const stage of ['install', 'test'])
        expect(await find(place, 'ConfigMap', `hello-of-${stage}`, 'v1')).toBeDefined();
      expect(place.packages.charts.requests.map(({ release, values }) => [release, values['oslc']])).toEqual(
        expect.arrayContaining([
          ['flow', { flow_kind: 'all-phases' }],
          ['hello-installphase', { stage: 'install' }],
        ]),
      );
      expect(place.packages.charts.requests[0]?.values['serviceName']).toBe('hello');
      const [installed, tested] = await Promise.all([
        find(place, 'InstallPhase', 'hello-installphase'),
        find(place, 'TestPhase', 'hello-testphase'),
      ]);
      for (const made of [installed, tested])
        expect(made?.metadata.ownerReferences).toMatchObject([{ kind: 'Oslc', name: 'flow' }]);
      const at = (made: unknown) => (made as { status: { startedAt: string; finishedAt: string } }).status;
      expect(at(tested).startedAt >= at(installed).finishedAt).toBe(true);
      await life.end();
    }, 120_000);

    test('phases without steps come to what they ask for, and what lies beside them is made', async () => {
      const { place, life } = await begin('one-phase');
      await untilState(place, 'deployed');
      expect(await find(place, 'ConfigMap', 'beside', 'v1')).toMatchObject({
        metadata: { ownerReferences: [{ kind: 'Oslc', name: 'flow', controller: true }] },
      });
      expect(await find(place, 'InstallPhase', 'hello-installphase')).toMatchObject({
        spec: { serviceAccountName: 'default' },
        status: { actualState: 'deployed' },
      });
      await life.end();
    }, 120_000);

    test.each([
      ['a phase that cannot go on stops it', 'bad-phase', 'hello', 'PhaseFailed'],
      ['a flow that the chart does not have is told', 'dance', 'hello', 'PackageInvalid'],
      ['a chart of nowhere is told', 'all-phases', 'nowhere', 'PackageNotInCluster'],
      ['what is not for its namespace is told, and nothing is made', 'elsewhere', 'hello', 'ManifestInvalid'],
    ])(
      '%s',
      async (_, flowKind, location, reason) => {
        const { place, life } = await begin(flowKind, location);
        const flow = await untilState(place, 'error');
        expect(flow.status?.conditions?.find(({ type }) => type === 'Stalled')).toMatchObject({
          ...{ status: 'True', reason },
        });
        await life.end();
      },
      120_000,
    );

    test('it stands in the way of no later flow of its service', async () => {
      const { place, life } = await begin('all-phases');
      await untilState(place, 'deployed');
      const later = { ...flowType, namespace: place.namespace, name: 'later' };
      await world.cluster.create({
        ...{ apiVersion, kind: 'Oslc', metadata: { name: later.name, namespace: place.namespace } },
        spec: { serviceName: 'hello', flowKind: 'one-phase', source: { type: 'tar', location: 'hello' } },
      });
      const told = await until('the word', async () => {
        const { conditions = [] } = ((await world.cluster.get(later)) as FlowObject).status ?? {};
        return conditions.find(({ type, status }) => type === 'Stalled' && status === 'True');
      });
      // It came to its turn: the phase it brings has the name of one that the other flow made.
      expect(told.reason).toBe('ObjectNotOurs');
      await life.end();
    }, 120_000);

    test('a phase of that name that somebody else made is not touched', async () => {
      const place = { namespace: await world.newNamespace(), packages: packages() };
      await world.cluster.create({
        ...{ apiVersion, kind: 'InstallPhase' },
        metadata: { name: 'hello-installphase', namespace: place.namespace },
        spec: {
          ...{ openstackServiceName: 'hello', targetState: 'uninitialized' },
          source: { type: 'tar', location: 'hello' },
        },
      });
      await world.cluster.create({
        ...{ apiVersion, kind: 'Oslc', metadata: { name: 'flow', namespace: place.namespace } },
        spec: { serviceName: 'hello', flowKind: 'all-phases', source: { type: 'tar', location: 'hello' } },
      });
      const life = await beginLife(world, place);
      await untilState(place, 'failed');
      expect(await find(place, 'InstallPhase', 'hello-installphase')).toMatchObject({
        spec: { targetState: 'uninitialized' },
      });
      await life.end();
    }, 120_000);
  });
}
