import type { PlanStep } from '../../api/lifecycle-plan.ts';
import { sameJson } from '../../base/json.ts';
import { chooseSlices } from '../../phase/object/slices.ts';
import { isHandMade } from '../hand-made.ts';
import { one, type PlanObject, type RecordObject, type RevisionObject } from '../our-objects.ts';
import { done, type StepOutcome } from '../runtime/outcome.ts';
import type { Bundle } from '../store/bundle.ts';
import { type FlowScope, timeText } from './flow-scope.ts';
import { partsOfStep, revisionBefore } from './flow-sides.ts';
import { renderTarget } from './render-target.ts';

/**
 * Everything a flow must know before its first move, worked out once and written down before anything is touched: the slices that serve
 * and those that come, the rendered manifests, what is known of the databases.
 */
export async function prepareFlow(scope: FlowScope): Promise<StepOutcome> {
  if (scope.status.startedAt !== undefined) return done;
  const { planned, state } = scope;
  const { step } = planned;
  const before = revisionBefore(step, state.revisions);
  const refused = whyNotNow(scope);
  if (refused !== undefined) return refuse(scope, refused);
  const target = await targetOf(scope);
  if ('refused' in target) return refuse(scope, target.refused);
  const running = before ? partsOfStep(step, before.spec.parts) : [];
  const oldSlices = [...new Set(running.flatMap(({ slices }) => slices))];
  scope.status = {
    ...scope.status,
    startedAt: timeText(scope.now),
    oldSlices,
    newSlices: [...newSlicesOf(step, target.bundles, oldSlices)],
    manifests: [...target.manifests],
    secretDigests: [...target.secretDigests],
    schemas: [...state.schemas],
  };
  return done;
}

/** A flow that cannot begin ends before it touched anything. */
function refuse(scope: FlowScope, because: string): StepOutcome {
  const at = timeText(scope.now);
  scope.status = {
    ...scope.status,
    startedAt: at,
    finishedAt: at,
    end: 'refused',
    because: because.slice(0, 1024),
  };
  return done;
}

/** A flow checks its start: what it was planned from must still be so. Undefined where it is. */
export function whyNotNow(scope: FlowScope): string | undefined {
  const { world, namespace, planned } = scope;
  const plan = one<PlanObject>(world.plans, namespace, planned.plan);
  const record = one<RecordObject>(world.records, namespace, planned.deployment);
  if (!plan?.spec.holds && plan && record && plan.spec.recordGeneration !== record.metadata.generation)
    return 'the record changed since the plan was made; a new plan is made from it';
  return whyNotFrom(scope);
}

/** Why a flow cannot begin from what runs now; undefined where that is what it was planned from. */
export function whyNotFrom({ object, planned, state }: FlowScope): string | undefined {
  const { step } = planned;
  const before = revisionBefore(step, state.revisions);
  const serving = state.current;
  const runs = serving ? partsOfStep(step, serving.spec.parts).length > 0 : false;
  if (step.flow === 'install') return runs ? `${step.service} is already there` : undefined;
  if (isHandMade(object) && step.from?.revision !== serving?.spec.number)
    return `${step.service} changed since this flow was planned; write it anew`;
  if (!runs && step.from) return `${step.service} is not there any more`;
  if (step.from && !before) return `revision ${step.from.revision} of ${step.service} is not known any more`;
  if (before && serving && !runsTheSame(step, before, serving))
    return `what serves of ${step.service} is no longer what the plan was made from: ${serving.spec.version} does`;
  return undefined;
}

/** Whether the parts that a step is about are the same in two revisions, in the same slices. Other parts may have changed meanwhile. */
function runsTheSame(step: PlanStep, before: RevisionObject, now: RevisionObject): boolean {
  const partsOf = ({ spec }: RevisionObject) =>
    partsOfStep(step, spec.parts).map(({ manifests, slices }) => [manifests, slices]);
  return before === now || sameJson(partsOf(before), partsOf(now));
}

interface Target {
  readonly manifests: readonly string[];
  readonly bundles: readonly Bundle[];
  readonly secretDigests: NonNullable<FlowScope['status']['secretDigests']>;
}

/** What a flow brings: freshly rendered, or as it was kept of the revision that is returned to. Nothing for a removal. */
async function targetOf(scope: FlowScope): Promise<Target | { readonly refused: string }> {
  const { world, namespace, planned, state } = scope;
  const { step } = planned;
  const secretDigests = state.current?.spec.secretDigests ?? [];
  if (step.flow === 'uninstall' || step.flow === 'contract')
    return { manifests: [], bundles: [], secretDigests };
  if (step.flow === 'rollback') {
    const revision = state.revisions.find(({ spec }) => spec.number === step.to?.revision);
    if (!revision)
      return { refused: `revision ${step.to?.revision} of ${step.service} is not known any more` };
    const manifests = partsOfStep(step, revision.spec.parts).flatMap(part => part.manifests);
    const bundles = await world.manifests.of(namespace, manifests);
    return { manifests, bundles, secretDigests: revision.spec.secretDigests };
  }
  const rendered = await renderTarget(scope);
  if ('findings' in rendered) {
    const [first] = rendered.findings;
    return {
      refused: first ? `${first.message}. ${first.advice}` : 'the record no longer names the service',
    };
  }
  const wanted = step.to?.packageDigest;
  const other = rendered.bundles.find(
    ({ version, packageDigest }) => version === step.to?.version && packageDigest !== wanted,
  );
  if (wanted !== undefined && other)
    return { refused: `the package of ${step.service} ${other.version} is not the one that was planned` };
  return { ...rendered, secretDigests: [...rendered.secretDigests] };
}

function newSlicesOf(step: PlanStep, bundles: readonly Bundle[], old: readonly string[]): readonly string[] {
  if (step.flow === 'uninstall') return [];
  if (step.flow === 'contract') return old;
  const [first] = bundles;
  const own = first?.lifecycle.components.find(({ name }) => name === first.component)?.strategy;
  const isRolling = (own ?? first?.lifecycle.strategy) === 'rolling';
  return chooseSlices({ strategy: step.strategy, slices: step.slices, isRolling }, old);
}
