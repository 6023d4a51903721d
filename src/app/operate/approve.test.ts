import { expect, it } from 'vitest';
import type { Cluster } from '../../cluster/cluster.ts';
import { aCloud, aFlow, aPlan } from '../../testing/a-cloud.ts';
import { aPlanStep } from '../../testing/a-plan-step.ts';
import type { Snapshot } from '../operator-verbs.ts';
import { approve } from './approve.ts';

const step = aPlanStep('rollback', { consents: ['restore', 'noReturn'] });
const consent = `${step.id}=restore`;

/** A person's consent to a plan that was approved without it, with these flows. */
function consentTo(flows: ReturnType<typeof aFlow>[], said: string | undefined = consent) {
  return say(flows, { consents: [said] });
}

/** What a person says to that plan. */
function say(
  flows: ReturnType<typeof aFlow>[],
  said: { readonly consents?: readonly string[]; readonly answers?: readonly string[] },
) {
  const plan = aPlan([step], 'Running');
  const approval = { digest: plan.spec.digest, approvedBy: 'mara', approvedAt: '2026-01-01T00:00:00.000Z' };
  const approved = { ...plan, spec: { ...plan.spec, approval: { ...approval, consents: [] } } };
  const objects = aCloud('02:10', { plans: [approved], flows });
  const written: unknown[] = [];
  const cluster = {
    async patch(_: object, patch: object) {
      written.push(patch);
    },
  } as unknown as Cluster;
  const snapshot = { objects } as unknown as Snapshot;
  const desk = { cluster, namespace: 'openstack', snapshot, now: objects.now, user: 'mara' };
  const intent = approve(desk, { consents: [], stages: [], answers: [], ...said });
  return { intent, written };
}

it('a consent is taken as long as its step has not begun', async () => {
  const { intent, written } = consentTo([aFlow(step, [], { planned: { plan: 'another' } })]);
  await intent.carryOut();
  expect(written).toMatchObject([
    { value: { spec: { approval: { consents: [{ step: step.id, consent: 'restore' }] } } } },
  ]);
});

it('a consent to a step that has begun is refused, with the answer that helps', () => {
  const answer = `afloat approve --answer ${step.service}:restore=yes`;
  expect(() => consentTo([aFlow(step, [])])).toThrow(`when it asks: ${answer}`);
  const question = { question: 'restore', because: 'it would be lost' } as const;
  expect(() => consentTo([aFlow(step, [], { status: { question } })])).toThrow(`now: ${answer}`);
});

it('a consent that no question stands for is refused without one', () => {
  const late = () => consentTo([aFlow(step, [])], `${step.id}=noReturn`);
  expect(late).toThrow(/too late: \S+ has begun$/);
});

it('a consent to a step that is over is refused', () => {
  expect(() => consentTo([aFlow(step, [], { status: { end: 'refused' } })])).toThrow('is over');
});

it('a consent that the flow took with it may be given again', () => {
  const { intent } = consentTo([aFlow(step, [], { planned: { agreedTo: ['restore'] } })]);
  expect(intent.says).not.toEqual([]);
});

it('a yes to a restore names the list of losses that was shown', async () => {
  const of = `sha256:${'a'.repeat(64)}`;
  const question = { question: 'restore', because: 'it would be lost', of } as const;
  const { intent, written } = say([aFlow(step, [], { status: { question } })], {
    answers: [`${step.service}:restore=yes`],
  });
  await intent.carryOut();
  expect(written).toMatchObject([{ value: { spec: { answers: { restore: 'yes', restoreOf: of } } } }]);
});

it('a yes that waits for its window can be taken back', async () => {
  const heard = { question: 'contract', until: '2026-01-03T22:00:00.000Z' } as const;
  const { intent, written } = say([aFlow(step, [], { status: { heard } })], {
    answers: [`${step.service}:contract=no`],
  });
  await intent.carryOut();
  expect(written).toMatchObject([{ value: { spec: { answers: { contract: 'no' } } } }]);
});
