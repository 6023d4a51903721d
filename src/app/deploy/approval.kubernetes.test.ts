import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { ClusterObject, StoredObject } from '../../cluster/cluster.ts';
import { eventually } from '../../cluster/contract/case-world.contract.ts';
import type { KubernetesCluster } from '../../cluster/kubernetes/kubernetes-cluster.ts';
import { aPlanStep } from '../../testing/a-plan-step.ts';
import { ShippedCluster } from '../../testing/shipped-cluster.ts';

const { programs } = inject('kubernetes');
const apiVersion = 'openstacklcm.airshipit.org/v1alpha1';
const namespace = 'cloud';
const digest = `sha256:${'a'.repeat(64)}`;
const step = 'hello.api/install';
const consents = [{ step, consent: 'restore' }];
const approvedAt = '2026-01-01T00:00:00Z';
const approvalOf = (approvedBy: string) => ({ digest, approvedBy, approvedAt, consents: [] });

const aPlan = (name: string, more: object = {}, plan: object = {}): ClusterObject => ({
  apiVersion,
  kind: 'LifecyclePlan',
  metadata: { name, namespace },
  spec: {
    deployment: 'first',
    recordGeneration: 1,
    digest,
    plan: {
      ...{ cloud: 'first', recordDigest: digest, approval: 'manual', stages: [], steps: [], back: [] },
      ...{ waiting: [], offers: [], notes: [], estimateSeconds: 1 },
      impact: { api: 'none', workloads: 'none' },
      ...plan,
    },
    ...more,
  },
});

const aFlow = (name: string, more: object = {}): ClusterObject => ({
  apiVersion,
  kind: 'Oslc',
  metadata: { name, namespace },
  spec: {
    serviceName: 'hello',
    source: { type: 'generate', location: 'packages/hello' },
    flowKind: 'install',
    ...more,
  },
});

describe.skipIf(!programs)("a person's word (not with AFLOAT_TEST_KUBECONFIG)", () => {
  let shipped: ShippedCluster;
  /** May write records, plans and flows. */
  let editor: KubernetesCluster;
  /** May approve, too. */
  let approver: KubernetesCluster;
  let operator: KubernetesCluster;

  const patch = (cluster: KubernetesCluster, { kind, metadata }: ClusterObject, spec: object) =>
    cluster.patch(
      { apiVersion, kind, namespace, name: metadata.name ?? '' },
      { type: 'merge', value: { spec } as never },
    );

  /** The text of what the API server says to it. */
  const refusal = async (write: Promise<StoredObject>): Promise<string> => {
    const error = await write.then(
      () => ({ reason: 'nothing', message: 'it was taken' }),
      (thrown: { reason: string; message: string }) => thrown,
    );
    expect([error.reason, error.message]).toEqual(['Forbidden', expect.any(String)]);
    return error.message;
  };

  const phaseWriter = async () => {
    const rules = [
      { apiGroups: ['openstacklcm.airshipit.org'], resources: ['installphases'], verbs: ['create', 'patch'] },
    ];
    await shipped.admin.create({
      ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' },
      metadata: { name: 'phase-writer' },
      rules,
    });
    return shipped.person('paul', namespace, 'phase-writer');
  };

  beforeAll(async () => {
    if (!programs) return;
    shipped = await ShippedCluster.start(programs);
    await shipped.install({ clouds: [namespace] });
    editor = await shipped.person('edith', namespace, 'afloat-view', 'afloat-edit');
    approver = await shipped.person('anna', namespace, 'afloat-view', 'afloat-edit', 'afloat-approve');
    operator = shipped.admin.as({ user: 'system:serviceaccount:afloat-system:afloat-operator' });
    // A policy is heeded a moment after it was written.
    await eventually('the policies are heeded', async () => {
      const forged = aPlan('probe', { approval: approvalOf('somebody') });
      return shipped.admin.create(forged, { dryRun: true }).then(
        () => false,
        (error: { message: string }) => error.message.includes('afloat-plans'),
      );
    });
  });
  afterAll(() => shipped?.stop());

  test('policies compile: the API server has no warning about them', async () => {
    for (const name of ['afloat-plans', 'afloat-flows', 'afloat-phases', 'afloat-records']) {
      const ref = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicy', name };
      let warnings: unknown;
      await eventually(`${name} was checked`, async () => {
        const { status } = (await shipped.admin.get(ref)) as {
          status?: { observedGeneration?: number; typeChecking?: { expressionWarnings?: unknown } };
        };
        warnings = status?.typeChecking?.expressionWarnings;
        return status?.observedGeneration !== undefined;
      });
      expect([name, warnings]).toEqual([name, undefined]);
    }
  });

  test('counts with the right to approve, under the name of who gives it', async () => {
    const plan = await operator.create(aPlan('by-anna'));
    const approved = await patch(approver, plan, { approval: approvalOf('anna') });
    expect(approved['spec']).toMatchObject({ approval: { approvedBy: 'anna' } });
  });

  test('does not count without that right, whoever may patch plans', async () => {
    const plan = await operator.create(aPlan('by-edith'));
    expect(await refusal(patch(editor, plan, { approval: approvalOf('edith') }))).toContain('approve');
    expect(await refusal(editor.create(aPlan('made-approved', { approval: approvalOf('edith') })))).toContain(
      'approve',
    );
    const paused = await patch(editor, plan, { paused: true });
    expect(paused['spec']).toMatchObject({ paused: true });
  });

  test('is nobody elses: an approver who names somebody else is refused', async () => {
    const plan = await operator.create(aPlan('forged'));
    expect(await refusal(patch(approver, plan, { approval: approvalOf('boss') }))).toContain('approvedBy');
    // Not even for who may do everything.
    expect(await refusal(patch(shipped.admin, plan, { approval: approvalOf('anna') }))).toContain(
      'approvedBy',
    );
  });

  test('stays as it was given: consents are added by an approver only, in that name', async () => {
    const plan = await operator.create(aPlan('consents'));
    await patch(approver, plan, { approval: approvalOf('anna') });
    expect(await refusal(patch(editor, plan, { approval: { ...approvalOf('anna'), consents } }))).toContain(
      'approve',
    );
    expect(await refusal(patch(editor, plan, { approval: null }))).toContain('approve');
    // Whoever changes something else leaves it alone.
    await patch(operator, plan, { superseded: true });
    await patch(editor, plan, { paused: true });
  });

  test('opens a stage only with the right', async () => {
    const plan = await operator.create(aPlan('stages'));
    expect(await refusal(patch(editor, plan, { openedStages: ['dataplane'] }))).toContain('approve');
    const opened = await patch(approver, plan, { openedStages: ['dataplane'] });
    expect(opened['spec']).toMatchObject({ openedStages: ['dataplane'] });
  });

  test('is needed for a plan that would start by itself, unless the operator makes it', async () => {
    const automatic = (name: string) => aPlan(name, {}, { approval: 'automatic' });
    expect(await refusal(editor.create(automatic('slipped-in')))).toContain('approve');
    await operator.create(automatic('of-the-record'));
    await editor.create(aPlan('waits-for-approval'));
  });

  test('answers a flow only with the right, and nobody but the operator says what it carries out', async () => {
    const flow = await operator.create(aFlow('asks'));
    expect(await refusal(patch(editor, flow, { answers: { restore: 'yes' } }))).toContain('approve');
    expect(await refusal(patch(editor, flow, { cutsAtMost: 5 }))).toContain('approve');
    const answered = await patch(approver, flow, { answers: { restore: 'yes' }, cutsAtMost: 5 });
    expect(answered['spec']).toMatchObject({ answers: { restore: 'yes' }, cutsAtMost: 5 });
    await patch(editor, flow, { aborted: true });
    const planned = {
      deployment: 'first',
      plan: 'by-anna',
      step: aPlanStep('install'),
      serviceAccountName: 'default',
      holds: false,
    };
    expect(await refusal(patch(approver, flow, { planned }))).toContain('operator');
  });

  test('is needed to start a flow or a phase by hand; to lay one out it is not', async () => {
    const laidOut = { targetState: 'uninitialized' };
    const phase = (name: string, more: object): ClusterObject => ({
      ...{ apiVersion, kind: 'InstallPhase', metadata: { name, namespace } },
      spec: { openstackServiceName: 'hello', source: { type: 'local', location: 'a.yaml' }, ...more },
    });
    expect(await refusal(editor.create(aFlow('by-hand')))).toContain('approve');
    const flow = await editor.create(aFlow('laid-out', laidOut));
    expect(await refusal(patch(editor, flow, { targetState: 'deployed' }))).toContain('approve');
    expect(await refusal(patch(editor, flow, { serviceAccountName: 'strong' }))).toContain('approve');
    await patch(approver, flow, { targetState: 'deployed' });
    await approver.create(aFlow('by-approver'));
    // Who was given the right to write phases, and not that to approve, is no further.
    const writer = await phaseWriter();
    expect(await refusal(writer.create(phase('by-hand', {})))).toContain('approve');
    const made = await writer.create(phase('laid-out', laidOut));
    expect(await refusal(patch(writer, made, { targetState: 'deployed' }))).toContain('approve');
  });

  test('lets records start plans by themselves only with the right', async () => {
    const record = await shipped.firstRecord(namespace, { approval: 'manual' });
    const automatic = { ...record, spec: { ...(record['spec'] as object), approval: 'automatic' } };
    expect(await refusal(editor.create(automatic))).toContain('approve');
    const made = await editor.create(record);
    expect(await refusal(patch(editor, made, { approval: 'automatic' }))).toContain('approve');
    const services = [{ name: 'hello', version: '1.0.0', approval: 'automatic' }];
    expect(await refusal(patch(editor, made, { services }))).toContain('approve');
    await patch(approver, made, { approval: 'automatic' });
    // What an approver allowed stands for those who change the record afterwards.
    const changed = await patch(editor, made, { maxParallel: 2 });
    expect(changed['spec']).toMatchObject({ approval: 'automatic', maxParallel: 2 });
  });
});
