import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiVersion } from '../api/group.ts';
import type { LifecyclePlan } from '../api/lifecycle-plan.ts';
import type { ClusterObject } from '../cluster/cluster.ts';
import { ClusterError } from '../cluster/cluster-error.ts';
import { EmbeddedCluster } from '../cluster/embedded/embedded-cluster.ts';
import { readIndex } from '../controller/store/package-index.ts';
import type { CloudObjects } from '../status/cloud-objects.ts';
import { aPlan } from '../testing/a-cloud.ts';
import { aPlanStep } from '../testing/a-plan-step.ts';
import { cloudStories } from '../testing/cloud-stories.ts';
import { operate, type VerbPorts } from './operate.ts';
import type { Intent, Snapshot, Verbs } from './operator-verbs.ts';
import { readObserved } from './read-observed.ts';

const namespace = 'openstack';
let folder: string;
let cluster: EmbeddedCluster;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'afloat-operate-'));
  cluster = await EmbeddedCluster.open(join(folder, 'store'));
});
afterEach(async () => {
  await cluster.close();
  await rm(folder, { recursive: true });
});

function verbs(ports: Partial<VerbPorts> = {}): Verbs {
  return operate(cluster, {
    user: async () => 'mara',
    podLogs: async function* () {
      yield Buffer.from('first line\nsecond');
      yield Buffer.from(' line\nlast');
    },
    plans: { back: async () => ({ findings: [] }), contract: async () => ({ findings: [] }) },
    ...ports,
  });
}

/** Puts the objects of a story into the cluster, each with its status. */
async function tell(story: string): Promise<void> {
  const objects = cloudStories[story] as CloudObjects;
  await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const { record, plans, flows, phases, revisions } = objects;
  for (const object of [...(record ? [record] : []), ...revisions, ...plans, ...flows, ...phases]) {
    const { status, metadata, ...rest } = object as unknown as ClusterObject & { status?: object };
    const { name, labels } = metadata;
    const made = await cluster.create({
      ...rest,
      metadata: { name, namespace, ...(labels ? { labels } : {}) },
    } as ClusterObject);
    if (status) await cluster.updateStatus({ ...made, status: { ...status, ...seenNow(object.kind) } });
  }
}

/** The generation in a story is that of its own record; here it begins anew. */
function seenNow(kind: string): object {
  return kind === 'OpenstackDeployment' ? { observedGeneration: 1 } : {};
}

async function specOf(kind: string, name: string): Promise<Record<string, unknown>> {
  const object = await cluster.get({ apiVersion, kind, namespace, name });
  return object['spec'] as Record<string, unknown>;
}

async function planName(): Promise<string> {
  return (await verbs().look()).objects.plans[0]?.metadata.name ?? '';
}

const nothing = { consents: [], stages: [], answers: [] };

describe('look', () => {
  it('finds the only cloud there is, and says of none that there is none', async () => {
    expect((await verbs().look()).view.cloud).toBeUndefined();
    await tell('running upgrade');
    expect((await verbs().look()).view).toMatchObject({ cloud: 'north', namespace });
  });

  it('asks which one where there are several', async () => {
    await tell('all well');
    await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'south' } });
    const spec = { services: [] };
    await cluster.create({
      apiVersion,
      kind: 'OpenstackDeployment',
      metadata: { name: 'south', namespace: 'south' },
      spec,
    });
    await expect(verbs().look()).rejects.toMatchObject({
      code: 'UsageInvalid',
      message: expect.stringContaining('south'),
    });
    expect((await verbs({ namespace: 'south' }).look()).view.cloud).toBe('south');
  });
});

describe('follow', () => {
  it('tells of a change, and ends with the signal', async () => {
    await tell('waiting for approval');
    const stop = new AbortController();
    const states: (string | undefined)[] = [];
    for await (const { view } of verbs().follow(stop.signal)) {
      if (states.length === 0) await (await verbs().approve(nothing)).carryOut();
      states.push(view.plan?.approval.by);
      if (view.plan?.approval.by !== undefined) stop.abort();
    }
    expect(states.at(0)).toBeUndefined();
    expect(states.at(-1)).toBe('mara');
  });

  it('goes on while nothing changes, so that times go on', async () => {
    await tell('running upgrade');
    const stop = new AbortController();
    const seen: Snapshot[] = [];
    for await (const snapshot of verbs().follow(stop.signal)) {
      seen.push(snapshot);
      if (seen.length === 3) stop.abort();
    }
    expect(seen.at(-1)?.view.services).toHaveLength(2);
    expect(seen.at(-1)?.objects.now).not.toBe(seen[0]?.objects.now);
  });
});

describe('approve', () => {
  it('writes the digest of the plan, who and when', async () => {
    await tell('waiting for approval');
    const { digest } = await specOf('LifecyclePlan', await planName());
    const intent = await verbs().approve({ ...nothing, digest: String(digest).slice(7, 19) });
    expect(intent.asks).toBe(false);
    expect(await intent.carryOut()).toHaveLength(1);
    const { approval } = await specOf('LifecyclePlan', await planName());
    expect(approval).toMatchObject({ digest, approvedBy: 'mara', consents: [] });
  });

  it.each([
    { says: 'another digest', request: { digest: 'abcdef012345' } },
    { says: 'a beginning that says nothing', request: { digest: 'a' } },
    { says: 'a consent nobody asks for', request: { consents: ['keystone/upgrade=purge'] } },
    { says: 'a stage without a gate', request: { stages: ['controlplane'] } },
    { says: 'an answer to no question', request: { answers: ['keystone:rollback=yes'] } },
    { says: 'words that are no answer', request: { answers: ['keystone=yes'] } },
    { says: 'a plan that is not there', request: { plan: 'other' } },
  ])('refuses $says, and writes nothing', async ({ request }) => {
    await tell('waiting for approval');
    await expect(verbs().approve({ ...nothing, ...request })).rejects.toMatchObject({ code: 'NotNow' });
    expect((await specOf('LifecyclePlan', await planName()))['approval']).toBeUndefined();
  });

  it('asks where the digest was not named, and tells of consents that are missing', async () => {
    await tell('waiting for approval with a consent');
    const intent = await verbs().approve(nothing);
    expect(intent.asks).toBe(true);
    expect(intent.says.join('\n')).toContain('--consent keystone/uninstall=purge');
    await (await verbs().approve({ ...nothing, consents: ['keystone/uninstall=purge'] })).carryOut();
    const { approval } = await specOf('LifecyclePlan', await planName());
    expect(approval).toMatchObject({ consents: [{ step: 'keystone/uninstall', consent: 'purge' }] });
  });

  it('opens a stage without approving anything else', async () => {
    await tell('waiting for a stage');
    await (await verbs().approve({ ...nothing, stages: ['controlplane'] })).carryOut();
    const spec = await specOf('LifecyclePlan', await planName());
    expect(spec['openedStages']).toEqual(['controlplane']);
    expect(spec['approval']).toBeUndefined();
  });

  it('answers a question', async () => {
    await tell('asks whether data is restored');
    const intent = await verbs().approve({ ...nothing, answers: ['keystone:restore=no'] });
    expect(intent.says.join('\n')).toContain('user: 12 inserted, 3 updated');
    await intent.carryOut();
    expect((await specOf('Oslc', 'north-2-keystone-upgrade'))['answers']).toEqual({ restore: 'no' });
  });
});

describe('pause, resume and abort', () => {
  it('write the plan, and say beforehand what runs on', async () => {
    await tell('running upgrade');
    const pausing = await verbs().pause();
    expect(pausing.says.join('\n')).toContain('keystone/upgrade');
    await expect(verbs().resume()).rejects.toMatchObject({ code: 'NotNow' });
    await pausing.carryOut();
    expect((await specOf('LifecyclePlan', await planName()))['paused']).toBe(true);
    await expect(verbs().resume('another')).rejects.toMatchObject({ code: 'NotNow' });
    await (await verbs().resume(await planName())).carryOut();
    expect((await specOf('LifecyclePlan', await planName()))['paused']).toBe(false);
    await (await verbs().abort()).carryOut();
    expect((await specOf('LifecyclePlan', await planName()))['aborted']).toBe(true);
  });

  it('abort the flow of one service', async () => {
    await tell('running upgrade');
    const intent = await verbs().abort('keystone');
    expect(intent.says).toEqual(['keystone/upgrade: it goes back to 22.0.0.']);
    await intent.carryOut();
    expect((await specOf('Oslc', 'north-2-keystone-upgrade'))['aborted']).toBe(true);
    await expect(verbs().abort('mariadb')).rejects.toMatchObject({ code: 'NotNow' });
  });

  it('have nothing to do once the plan is over', async () => {
    await tell('held after rollback');
    for (const intend of [() => verbs().pause(), () => verbs().resume(), () => verbs().abort()])
      await expect(intend()).rejects.toMatchObject({ code: 'NotNow' });
  });
});

describe('retry', () => {
  it('releases the hold, and says what will be tried', async () => {
    await tell('held after rollback');
    const intent = await verbs().retry('keystone');
    expect(intent.says[0]).toContain('keystone 22.0.1');
    await intent.carryOut();
    expect((await specOf('Oslc', 'north-2-keystone-upgrade'))['released']).toBe(true);
    await expect(verbs().retry('keystone')).rejects.toMatchObject({ code: 'NotNow' });
  });
});

describe('rollback', () => {
  const back = aPlanStep('rollback', { to: { version: '22.0.0', revision: 3 } });
  const carryOutPlan = async (
    plan: LifecyclePlan,
  ): Promise<{ intent: Intent; plans: readonly LifecyclePlan[] }> => {
    const plans = { back: async () => ({ plan }), contract: async () => ({ plan }) };
    const intent = await verbs({ plans }).rollback('keystone');
    await intent.carryOut();
    return { intent, plans: (await verbs().look()).objects.plans };
  };

  it('moves traffic back while the old version is still there', async () => {
    await tell('soaking');
    const intent = await verbs().rollback('keystone');
    expect(intent.says.join('\n')).toContain('version: "22.0.0"');
    await intent.carryOut();
    expect((await specOf('Oslc', 'north-2-keystone-upgrade'))['aborted']).toBe(true);
  });

  it('makes a plan of its own after that, and approves it', async () => {
    await tell('all well');
    const { intent, plans } = await carryOutPlan(
      aPlan([back], 'WaitingForApproval', { name: 'back-1', spec: { holds: true } }),
    );
    expect(intent.says.join('\n')).toContain('version: "22.0.0"');
    expect(plans).toMatchObject([
      { metadata: { name: 'back-1' }, spec: { holds: true, approval: { approvedBy: 'mara' } } },
    ]);
  });

  it('leaves a plan that needs a consent to be approved', async () => {
    await tell('all well');
    const { plans } = await carryOutPlan(
      aPlan([{ ...back, consents: ['noReturn'] }], 'WaitingForApproval', { name: 'back-1' }),
    );
    expect(plans[0]?.spec.approval).toBeUndefined();
  });

  it('approves a plan that restores without agreeing to the loss, and says that it will be asked', async () => {
    await tell('all well');
    const plan = aPlan([{ ...back, consents: ['restore'] }], 'WaitingForApproval', { name: 'back-1' });
    const { intent, plans } = await carryOutPlan(plan);
    expect(plans[0]?.spec.approval).toMatchObject({ approvedBy: 'mara', consents: [] });
    expect(intent.says.join('\n')).toContain(`${back.id} first lists`);
  });

  it('refuses while a flow runs, and a revision that is not there', async () => {
    await tell('running upgrade');
    await expect(verbs().rollback('keystone')).rejects.toMatchObject({ code: 'NotNow' });
    await expect(verbs().rollback('mariadb', 9)).rejects.toMatchObject({
      message: expect.stringContaining('revision 9'),
    });
  });
});

describe('logs', () => {
  it('are whole lines, each with where it came from', async () => {
    await tell('all well');
    const labels = { 'openstacklcm.airshipit.org/service': 'keystone' };
    const spec = { containers: [{ name: 'api', image: 'x' }] };
    await cluster.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'keystone-1', namespace, labels },
      spec,
    });
    for (const follow of [false, true]) {
      const lines: string[] = [];
      const request = { service: 'keystone', follow, previous: false };
      for await (const { from, text } of verbs().logs(request, new AbortController().signal))
        lines.push(`${from} ${text}`);
      expect(lines).toEqual([
        'keystone-1/api first line',
        'keystone-1/api second line',
        'keystone-1/api last',
      ]);
    }
    const none = verbs().logs(
      { service: 'keystone', task: 'test', follow: false, previous: false },
      new AbortController().signal,
    );
    await expect(none[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'NotNow' });
  });
});

describe('diff', () => {
  it('tells what the plan would change, and nothing where all is as it should be', async () => {
    await tell('waiting for approval');
    const { services } = await verbs().diff();
    expect(services).toMatchObject([
      { service: 'mariadb', wanted: '10.11.6', serves: '10.11.6', objects: [] },
      { service: 'keystone', wanted: '22.0.1', serves: '22.0.0' },
    ]);
  });
});

describe('push', () => {
  it('brings the packages and not the record, and once more changes nothing', async () => {
    await cp('examples', folder, { recursive: true });
    const request = { paths: ['cloud.yaml'], stdin: '', folder };
    const pushed = await verbs().push(request);
    if ('findings' in pushed) throw new TypeError(JSON.stringify(pushed.findings));
    expect((await readIndex(cluster, pushed.namespace)).size).toBe(pushed.packages.length);
    expect((await verbs().look()).objects.record).toBeUndefined();
    expect(await verbs().push(request)).toEqual(pushed);
    await rm(join(folder, 'packages'), { recursive: true });
    expect('findings' in (await verbs().push(request))).toBe(true);
  });
});

describe('apply', () => {
  const request = { paths: ['cloud.yaml'], stdin: '', message: 'a patch' };
  const at = async () => {
    await cp('examples', folder, { recursive: true });
    return { ...request, folder };
  };

  it('brings the packages first, then the record; the same again changes nothing', async () => {
    const applied = await verbs().apply(await at());
    if ('findings' in applied) throw new TypeError(JSON.stringify(applied.findings));
    expect(applied).toMatchObject({ generation: 1, changed: true });
    const index = await readIndex(cluster, applied.namespace);
    expect(index.size).toBe(applied.packages);
    const { objects } = await verbs().look();
    expect(objects.record?.metadata.annotations).toMatchObject({
      'openstacklcm.airshipit.org/message': 'a patch',
    });
    expect(await verbs().apply(await at())).toMatchObject({ generation: 1, changed: false });
  });

  it('says what the record asks for and will not happen', async () => {
    const { observed } = await readObserved('examples/state-running.yaml', '');
    if (!observed) throw new TypeError('the example is a state');
    const services = observed.services.map(service =>
      service.name === 'identity' ? { ...service, state: 'Irreconcilable' as const } : service,
    );
    const observe = async () => ({ ...observed, services });
    const patched = { ...(await at()), paths: ['cloud-patched.yaml'] };
    expect(await verbs({ observe }).apply(patched)).toMatchObject({
      changed: true,
      waiting: [
        {
          service: 'identity',
          reason: 'Irreconcilable',
          advice: expect.stringContaining('afloat retry identity'),
        },
      ],
    });
    expect(await verbs({ observe: async () => observed }).apply(patched)).toMatchObject({ waiting: [] });
  });

  it('goes by what it may see: who may not look is told nothing of what waits', async () => {
    const observe = async () => {
      throw new ClusterError('Forbidden', 'secrets');
    };
    expect(await verbs({ observe }).apply(await at())).toMatchObject({ changed: true, waiting: [] });
  });

  it('puts a record that names no namespace into the one that is named, and no other', async () => {
    const request = await at();
    const text = await readFile(join(folder, 'cloud.yaml'), 'utf8');
    expect(await verbs({ namespace: 'south' }).apply(request)).toMatchObject({
      findings: [{ code: 'UsageInvalid' }],
    });
    await writeFile(join(folder, 'cloud.yaml'), text.replace(', namespace: openstack', ''));
    expect(await verbs({ usualNamespace: 'usual' }).push(request)).toMatchObject({ namespace: 'usual' });
    expect(await verbs({ namespace: 'south' }).apply(request)).toMatchObject({ namespace: 'south' });
  });

  it('names the plans that were over before', async () => {
    await tell('held after rollback');
    const { metadata } = (await verbs().look()).objects.record ?? {};
    if (metadata)
      await cluster.delete({ apiVersion, kind: 'OpenstackDeployment', namespace, name: metadata.name });
    expect(await verbs().apply(await at())).toMatchObject({ formerPlans: [await planName()] });
  });

  it('writes nothing where anything is wrong', async () => {
    const wrong = await at();
    await rm(join(folder, 'packages'), { recursive: true });
    const applied = await verbs().apply(wrong);
    expect('findings' in applied && applied.findings.length).toBeGreaterThan(0);
    await writeFile(join(folder, 'cloud.yaml'), 'services: [');
    expect('findings' in (await verbs().apply(wrong))).toBe(true);
    expect((await verbs().look()).objects.record).toBeUndefined();
  });
});
