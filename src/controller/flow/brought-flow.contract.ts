/** What flows that a chart brings along do on any cluster. Helm is played: what it would write is said by a function. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { finding } from '../../api/finding.ts';
import { apiVersion } from '../../api/group.ts';
import { managedBy, managedByLabel } from '../../api/labels.ts';
import { ClusterError } from '../../cluster/cluster-error.ts';
import { findObject } from '../../cluster/find-object.ts';
import { piece, ScriptedCharts } from '../../package/chart/scripted-charts.contract.ts';
import type { PackageSource } from '../../package/source.ts';
import { beginLife, type HandMadePlace, type HandMadeWorld, until } from '../hand-made-world.contract.ts';
import { type FlowObject, flowType } from '../our-objects.ts';

const phase = (kind: string, targetState: string, more = '') =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: hello-${kind.toLowerCase()} }\nspec:\n  openstackServiceName: hello\n  targetState: ${targetState}\n  source: { type: tar, location: hello }\n${more}`;

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

const applyPhase = {
  name: 'apply',
  resource: { action: 'apply', manifest: phase('InstallPhase', 'deployed') },
};

function workflow(templates: readonly { readonly name: string }[]): string {
  const steps = templates.map(({ name }) => [{ name, template: name }]);
  return JSON.stringify({
    ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Workflow', metadata: { name: 'hello-all' } },
    spec: { entrypoint: 'all', templates: [{ name: 'all', steps }, ...templates] },
  });
}

const config = (name: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { of: a }\n`;

const job = (name: string) =>
  `apiVersion: batch/v1\nkind: Job\nmetadata: { name: ${name} }\nspec: { template: { spec: { restartPolicy: Never, containers: [{ name: a, image: a }] } } }\n`;
const service = 'apiVersion: v1\nkind: Service\nmetadata: { name: after }\nspec: { ports: [{ port: 80 }] }\n';

/** What each flow of the chart is made of. */
const flows: Readonly<Record<string, readonly string[]>> = {
  'all-phases': [
    phase('InstallPhase', 'uninitialized'),
    phase('TestPhase', 'uninitialized'),
    workflow(['InstallPhase', 'TestPhase'].flatMap(letHappen)),
  ],
  'one-phase': [phase('InstallPhase', 'deployed'), config('beside')],
  'one-phase-anew': [phase('InstallPhase', 'deployed', '  targetOpenstackServiceVersion: "2"\n')],
  'no-phase': [config('beside')],
  'bad-phase': [phase('DeletePhase', 'deployed'), config('before'), service],
  applied: [phase('InstallPhase', 'uninitialized'), workflow([applyPhase])],
  'two-jobs': [job('first'), job('second')],
  'sets-install': [workflow(letHappen('InstallPhase'))],
  'sets-operational': [workflow(letHappen('OperationalPhase'))],
  'awaits-test': [workflow(letHappen('TestPhase').slice(1))],
  namesake: [phase('InstallPhase', 'deployed').replace('hello-installphase', 'flow')],
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

/** What a phase of the chart brings: one that is no object where it is told to delete, else something that is there at once. */
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
      ['a phase that is changed, and that nobody made, is told', 'sets-install', 'hello', 'PhaseMissing'],
      ['a phase that is waited for, and that nobody made, is told', 'awaits-test', 'hello', 'PhaseMissing'],
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

    test('what pods need is there before the phases, all else comes after', async () => {
      const { place, life } = await begin('bad-phase');
      await untilState(place, 'error');
      expect(await find(place, 'ConfigMap', 'before', 'v1')).toBeDefined();
      expect(await find(place, 'Service', 'after', 'v1')).toBeUndefined();
      await life.end();
    }, 120_000);

    test('a phase that is there is applied with its target state, and waited for', async () => {
      const { place, life } = await begin('applied');
      await untilState(place, 'deployed');
      expect(await find(place, 'InstallPhase', 'hello-installphase')).toMatchObject({
        spec: { targetState: 'deployed' },
        status: { actualState: 'deployed' },
      });
      await life.end();
    }, 120_000);

    test('a task that was done and cleaned up is not run again', async () => {
      const { place, life } = await begin('two-jobs');
      const at = (objectName: string) => ({
        ...{ apiVersion: 'batch/v1', kind: 'Job', namespace: place.namespace, name: objectName },
      });
      // A Job controller may write beside us, and a start that it has told stays: read, add the end, and look again if it was faster.
      const complete = (objectName: string) =>
        until(`the end of ${objectName}`, async () => {
          const found = await findObject(world.cluster, at(objectName));
          if (found === undefined) return undefined;
          const time = new Date().toISOString().replace(/\.\d+/, '');
          const conditions = ['SuccessCriteriaMet', 'Complete'].map(type => ({ type, status: 'True' }));
          const counts = { active: 0, ready: 0, terminating: 0, succeeded: 1 };
          const told = (found['status'] ?? {}) as { readonly startTime?: string };
          const status = { startTime: time, ...told, completionTime: time, ...counts, conditions };
          try {
            return await world.cluster.updateStatus({ ...found, status });
          } catch (error) {
            if (error instanceof ClusterError && error.reason === 'Conflict') return undefined;
            throw error;
          }
        });
      await complete('first');
      await until('the note', async () =>
        Object.values((await flowIn(place))?.metadata.annotations ?? {}).some(
          text => text === '1, Job first',
        ),
      );
      await world.cluster.delete(at('first'), { propagation: 'Background' });
      await complete('second');
      await untilState(place, 'deployed');
      expect(await findObject(world.cluster, at('first'))).toBeUndefined();
      await life.end();
    }, 120_000);

    test('a phase whose content is another now is carried out anew', async () => {
      const { place, life } = await begin('one-phase');
      await untilState(place, 'deployed');
      const ref = { ...flowType, namespace: place.namespace, name: 'flow' };
      const value = { spec: { flowKind: 'one-phase-anew' } };
      const { metadata } = await world.cluster.patch(ref, { type: 'merge', value });
      await until('the second content', async () => {
        const { status } = (await flowIn(place)) ?? {};
        return status?.observedGeneration === metadata.generation && status?.actualState === 'deployed';
      });
      expect(await find(place, 'InstallPhase', 'hello-installphase')).toMatchObject({
        spec: { targetOpenstackServiceVersion: '2' },
        status: { actualState: 'deployed', actualOpenstackServiceVersion: '2', observedGeneration: 2 },
      });
      await life.end();
    }, 120_000);

    test('a phase that the flow no longer brings goes', async () => {
      const { place, life } = await begin('one-phase');
      await untilState(place, 'deployed');
      const ref = { ...flowType, namespace: place.namespace, name: 'flow' };
      await world.cluster.patch(ref, { type: 'merge', value: { spec: { flowKind: 'no-phase' } } });
      await until(
        'the end of the phase',
        async () => !(await find(place, 'InstallPhase', 'hello-installphase')),
      );
      await untilState(place, 'deployed');
      await life.end();
    }, 120_000);

    test('a flow goes on when a phase of it that failed has recovered', async () => {
      const place = { namespace: await world.newNamespace(), packages: packages() };
      const inTheWay = { apiVersion: 'v1', kind: 'ConfigMap' };
      const about = { name: 'hello-of-install', namespace: place.namespace };
      await world.cluster.create({ ...inTheWay, metadata: about });
      await world.cluster.create({
        ...{ apiVersion, kind: 'Oslc', metadata: { name: 'flow', namespace: place.namespace } },
        spec: { serviceName: 'hello', flowKind: 'namesake', source: { type: 'tar', location: 'hello' } },
      });
      const life = await beginLife(world, place);
      await untilState(place, 'failed');
      await world.cluster.delete({ ...inTheWay, ...about });
      const ref = { apiVersion, kind: 'InstallPhase', namespace: place.namespace, name: 'flow' };
      const value = { spec: { targetOpenstackServiceVersion: '3' } };
      await world.cluster.patch(ref, { type: 'merge', value });
      await untilState(place, 'deployed');
      await life.end();
    }, 120_000);

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

    const ofAfloat = { [managedByLabel]: managedBy };
    const move = { oslc: 'other', id: 'settle', task: 'settle', side: 'new' };
    test.each<[string, string, Readonly<Record<string, string>>, object]>([
      ['a person', 'InstallPhase', {}, {}],
      ['a person, to keep the service,', 'OperationalPhase', {}, {}],
      ['a flow of a plan', 'OperationalPhase', ofAfloat, { move }],
      ['a flow of another service', 'OperationalPhase', ofAfloat, { openstackServiceName: 'other' }],
    ])(
      'a phase that %s made gets no other target state',
      async (_, kind, labels, more) => {
        const place = { namespace: await world.newNamespace(), packages: packages() };
        const flowKind = kind === 'InstallPhase' ? 'sets-install' : 'sets-operational';
        const about = { name: `hello-${kind.toLowerCase()}`, namespace: place.namespace, labels };
        const source = { type: 'tar', location: 'hello' };
        await world.cluster.create({
          ...{ apiVersion, kind, metadata: about },
          spec: { openstackServiceName: 'hello', targetState: 'uninitialized', source, ...more },
        });
        await world.cluster.create({
          ...{ apiVersion, kind: 'Oslc', metadata: { name: 'flow', namespace: place.namespace } },
          spec: { serviceName: 'hello', flowKind, source },
        });
        const life = await beginLife(world, place);
        const flow = await untilState(place, 'failed');
        expect(flow.status?.conditions?.find(({ type }) => type === 'Stalled')).toMatchObject({
          reason: 'ObjectNotOurs',
          message: expect.stringContaining(`${kind} ${about.name}`),
        });
        expect(await find(place, kind, about.name)).toMatchObject({ spec: { targetState: 'uninitialized' } });
        await life.end();
      },
      120_000,
    );
  });
}
