import { consents as knownConsents } from '../../api/fields.ts';
import { questions } from '../../api/flow-kinds.ts';
import type { LifecyclePlan } from '../../api/lifecycle-plan.ts';
import type { Oslc } from '../../api/oslc.ts';
import { shortDigest } from '../../base/digest.ts';
import { sayDuration } from '../../base/duration.ts';
import { newestPlan } from '../../status/cloud-objects.ts';
import { lossesAsked } from '../../status/flow-view.ts';
import { leadingFlow } from '../../status/leading-flows.ts';
import { questionWords } from '../../status/name-of-wait.ts';
import { missingConsents, stepsThatAsk } from '../../status/plan-view.ts';
import { sayImpacts } from '../../status/recommend.ts';
import type { ApproveRequest, Intent } from '../operator-verbs.ts';
import { type Desk, notSo, type SignedDesk, writeSpec } from './write-spec.ts';

/** One write that an approval leads to, and what it means. */
interface Approval {
  readonly says: readonly string[];
  readonly done: string;
  write(): Promise<void>;
}

/** A person's word: on a plan by its digest, on stages, on questions. Only what was asked for, and all of it or none. */
export function approve(desk: SignedDesk, request: ApproveRequest): Intent {
  const answers = [
    ...request.answers.map(answer => answerOf(desk, answer)),
    ...(request.cuts ?? []).map(cut => cutOf(desk, cut)),
  ];
  const wantsPlan =
    request.plan !== undefined ||
    request.digest !== undefined ||
    request.consents.length > 0 ||
    (request.stages.length === 0 && answers.length === 0);
  const plan = wantsPlan || request.stages.length > 0 ? planFor(desk, request.plan) : undefined;
  // A stage alone does not approve a plan that waits for approval as a whole.
  const isPlanMeant =
    wantsPlan &&
    !(request.stages.length > 0 && request.digest === undefined && request.consents.length === 0);
  const approvals = [
    ...(plan && isPlanMeant ? [planApproval(desk, plan, request)] : []),
    ...(plan && request.stages.length > 0 ? [stageApproval(desk, plan, request.stages)] : []),
    ...answers,
  ];
  return {
    says: approvals.flatMap(({ says }) => says),
    // Who names the digest has read the plan; a stage and an answer are words enough.
    asks: isPlanMeant && request.digest === undefined,
    carryOut: async () => {
      for (const approval of approvals) await approval.write();
      return approvals.map(({ done }) => done);
    },
  };
}

function planFor({ snapshot }: Desk, name: string | undefined): LifecyclePlan {
  const { objects } = snapshot;
  const plan =
    name === undefined ? newestPlan(objects) : objects.plans.find(({ metadata }) => metadata.name === name);
  if (!plan) throw notSo(name === undefined ? 'there is no plan to approve' : `there is no plan ${name}`);
  return plan;
}

function planApproval(desk: SignedDesk, plan: LifecyclePlan, { digest, consents }: ApproveRequest): Approval {
  const { name } = plan.metadata;
  const { spec, status } = plan;
  if (digest !== undefined && !isDigestOf(spec.digest, digest))
    throw notSo(
      `plan ${name} has the digest ${shortDigest(spec.digest)} now, and not ${digest}: read it again`,
    );
  if (status?.state !== undefined && status.state !== 'WaitingForApproval' && spec.approval === undefined)
    throw notSo(`plan ${name} does not wait for approval: it is ${status.state}`);
  const given = consents.map(text => consentOf(plan, text));
  for (const one of given) refuseLate(desk, name, one);
  const former = spec.approval?.consents ?? [];
  const all = [...new Map([...former, ...given].map(one => [`${one.step}=${one.consent}`, one])).values()];
  const approval = { digest: spec.digest, approvedBy: desk.user, approvedAt: desk.now, consents: all };
  const approved = { ...plan, spec: { ...spec, approval } };
  const missing = missingConsents(approved);
  const { steps, estimateSeconds, impact } = spec.plan;
  return {
    says: [
      `Plan ${name} (${shortDigest(spec.digest)}): ${steps.length === 1 ? '1 step' : `${steps.length} steps`}, about ${sayDuration(estimateSeconds)}, ${sayImpacts(impact)}. It starts as soon as it is approved.`,
      ...missing.map(
        consent => `It will stop before ${consent.split('=')[0]}: --consent ${consent} is missing.`,
      ),
      ...stepsThatAsk(approved).map(sayItAsks),
    ],
    done: `approved plan ${name} (${shortDigest(spec.digest)}) as ${desk.user}`,
    write: () => writeSpec(desk, 'LifecyclePlan', name, { approval }),
  };
}

/** A step that restores stops before anything is touched, with what would be lost in hand. */
export function sayItAsks(step: string): string {
  return `${step} first lists what a restore would lose, and asks; it touches nothing before it is answered.`;
}

/** The whole digest or its beginning; fewer than eight digits would not say which. */
function isDigestOf(digest: string, said: string): boolean {
  const digits = said.replace(/^sha256:/, '');
  return digits.length >= 8 && digest.replace(/^sha256:/, '').startsWith(digits);
}

function consentOf(plan: LifecyclePlan, text: string) {
  const at = text.lastIndexOf('=');
  const [step, word] = [text.slice(0, at), text.slice(at + 1)];
  const consent = knownConsents.find(known => known === word);
  const needed = plan.spec.plan.steps.find(({ id }) => id === step)?.consents ?? [];
  if (!consent || !needed.includes(consent)) {
    const open = [...missingConsents(plan), ...stepsThatAsk(plan).map(step => `${step}=restore`)];
    throw notSo(
      `the plan asks for no consent ${text}${open.length > 0 ? `; it asks for ${open.join(', ')}` : ''}`,
    );
  }
  return { step, consent };
}

/** A flow takes the consents of its plan with it when it begins: one that comes later would be confirmed, and do nothing. */
function refuseLate({ snapshot }: Desk, plan: string, { step, consent }: ReturnType<typeof consentOf>): void {
  const flow = snapshot.objects.flows.find(
    ({ spec }) => spec.planned?.plan === plan && spec.planned.step.id === step,
  );
  if (!flow || (flow.spec.planned?.agreedTo ?? []).includes(consent)) return;
  if (flow.status?.end !== undefined)
    throw notSo(
      `the consent ${step}=${consent} comes too late: ${step} is over, it ended ${flow.status.end}`,
    );
  const question = questions.find(known => known === consent);
  const answer = `afloat approve --answer ${flow.spec.serviceName}:${question}=yes`;
  const when = flow.status?.question?.question === question ? 'now' : 'when it asks';
  throw notSo(
    `the consent ${step}=${consent} comes too late: ${step} has begun${question === undefined ? '' : `; answer it ${when}: ${answer}`}`,
  );
}

function stageApproval(desk: Desk, plan: LifecyclePlan, stages: readonly string[]): Approval {
  const { name } = plan.metadata;
  const gated = plan.spec.plan.stages.filter(({ gate }) => gate === 'manual').map(stage => stage.name);
  const unknown = stages.filter(stage => !gated.includes(stage));
  if (unknown.length > 0)
    throw notSo(
      `plan ${name} has no gate before ${unknown.join(', ')}${gated.length > 0 ? `; it has one before ${gated.join(', ')}` : ''}`,
    );
  const openedStages = [...new Set([...plan.spec.openedStages, ...stages])];
  return {
    says: [`Stage ${stages.join(', ')} of plan ${name} begins as soon as the stages before it are done.`],
    done: `let stage ${stages.join(', ')} of plan ${name} begin`,
    write: () => writeSpec(desk, 'LifecyclePlan', name, { openedStages }),
  };
}

/** So many requests that a drain waits for may be cut: a person saw the number. */
function cutOf(desk: Desk, text: string): Approval {
  const [, service = '', number = ''] = /^([^=]+)=(\d{1,6})$/.exec(text) ?? [];
  if (number === '') throw notSo(`"${text}" is no number of requests: write <service>=<number>`);
  const flow = leadingFlow(desk.snapshot.objects, service);
  if (!flow || flow.status?.end !== undefined) throw notSo(`no flow of ${service} runs`);
  return {
    says: [`Up to ${number} requests to ${service} that take too long are cut; their clients see an error.`],
    done: `${service}: up to ${number} requests may be cut`,
    write: () => writeSpec(desk, 'Oslc', flow.metadata.name, { cutsAtMost: Number(number) }),
  };
}

function answerOf(desk: Desk, text: string): Approval {
  const found = /^([^:]+):([^=]+)=(yes|no)$/.exec(text);
  const question = questions.find(known => known === found?.[2]);
  if (!found || !question) throw notSo(`"${text}" is no answer: write <service>:<question>=yes|no`);
  const [, service = '', , answer = ''] = found;
  const flow = leadingFlow(desk.snapshot.objects, service);
  const { heard, question: open } = flow?.status?.end === undefined ? (flow?.status ?? {}) : {};
  const asked = open?.question ?? heard?.question;
  if (!flow || asked !== question)
    throw notSo(`${service} does not ask that${asked === undefined ? '' : `: it asks \`${asked}\``}`);
  const why = open?.because ?? 'A yes was heard, and waits for a maintenance window.';
  return {
    says: [
      `${service} asks: ${questionWords[question]} ${why} The answer is ${answer}.`,
      ...lossesAsked(flow, desk.snapshot.objects.now),
    ],
    done: `answered ${service}: ${question} ${answer}`,
    write: () =>
      writeSpec(desk, 'Oslc', flow.metadata.name, { answers: { [question]: answer, ...listShown(flow) } }),
  };
}

/** The list of losses that was shown with the question: a yes is about that one. */
function listShown({ status }: Pick<Oslc, 'status'>): { readonly restoreOf?: string } {
  const { question, of } = status?.question ?? {};
  return question === 'restore' && of !== undefined ? { restoreOf: of } : {};
}
