import type { GoingBack } from '../api/lifecycle-plan.ts';
import type { Oslc } from '../api/oslc.ts';
import { shortDigest } from '../base/digest.ts';
import { type CloudObjects, newestPlan, operatorIsMissing } from './cloud-objects.ts';
import { leadingFlow } from './leading-flows.ts';
import { sayMoment } from './moments.ts';
import { nameOfPlanWait, nameOfRecordWait } from './name-of-wait.ts';
import { planView } from './plan-view.ts';
import type { FiveFacts, Recommended, ServiceView, TwoImpacts } from './view.ts';
import { isDead, waysOf } from './ways.ts';

const costWords: Record<GoingBack['cost'], string> = {
  nothing: 'nothing, no request and no data',
  traffic: 'nothing, traffic is moved back',
  outage: 'an outage of the service meanwhile',
  writes: 'what clients wrote since is lost',
  impossible: 'it cannot be undone',
};

/** Impact in words, always both values. */
export function sayImpacts({ api, workloads }: TwoImpacts): string {
  return `API ${api}, workloads ${workloads}`;
}

/** The one command that is recommended now; undefined where none is needed. The most urgent trouble decides. */
export function recommend(
  objects: CloudObjects,
  services: readonly ServiceView[],
  failing: FiveFacts['failing'],
): Recommended | undefined {
  if (!objects.record) return firstRecord;
  if (operatorIsMissing(objects)) return install;
  const pick = (...states: readonly ServiceView['state'][]) =>
    services.find(({ state }) => states.includes(state));
  const asking = pick('Asking');
  const broken = pick('Irreconcilable', 'Withdrawn');
  const stopped = services.find(
    ({ state, serves, hold }) => state === 'Held' && serves === undefined && hold?.end === 'held',
  );
  const soaking = pick('Soaking');
  // A hold that a person asked for is no trouble: the record is to be changed where it is kept.
  const failed = services.find(
    ({ name, state, hold }) =>
      state === 'Unsettled' ||
      (hold && hold.end !== 'operational' && leadingFlow(objects, name)?.spec.aborted !== true),
  );
  if (asking) return answerFor(asking, objects);
  if (stopped) return goBack(stopped, objects, 'traffic was taken away and nothing serves');
  if (broken) return look(broken, 'see what failed before anything else is tried');
  // There is no rollback of a rollback.
  if (soaking && failing.answer === 'yes')
    return soaking.flow?.kind === 'rollback'
      ? look(soaking, 'requests fail on the version it went back to')
      : goBack(soaking, objects, 'requests fail on the new version');
  const dead = services.find(
    ({ name, state }) => state === 'Operational' && waysOf(objects, name).some(isDead),
  );
  if (dead) return look(dead, 'see why what serves does not answer: nothing was changed');
  return (
    planCommand(objects) ??
    (pick('InFlow', 'GoingBack') ? watch('a change is running') : undefined) ??
    (failed
      ? look(failed, `see why, then change the record or say: afloat retry ${failed.name}`)
      : undefined) ??
    (nameOfRecordWait(objects) ? mendRecord : undefined) ??
    (failing.answer === 'unknown' ? doctor : undefined)
  );
}

const firstRecord: Recommended = {
  line: 'afloat apply <record>',
  why: 'there is no record here yet',
  takesSeconds: 0,
  costs: 'nothing, a plan is made and starts when it is approved',
};

const mendRecord: Recommended = {
  line: 'afloat apply <record>',
  why: 'change the record as is said below, then apply it again',
  takesSeconds: 0,
  costs: 'nothing, a plan is made and starts when it is approved',
};

const install: Recommended = {
  line: 'afloat install',
  why: 'no operator is running in this cluster: nothing is planned, changed or taken back',
  takesSeconds: 60,
  costs: 'nothing, services are not touched',
};

const doctor: Recommended = {
  line: 'afloat doctor',
  why: 'nothing looks after this record yet',
  takesSeconds: 0,
  costs: 'nothing, it only shows',
};

function watch(why: string): Recommended {
  return { line: 'afloat watch', why, takesSeconds: 0, costs: 'nothing, it only shows' };
}

const withoutTasks: ReadonlySet<string> = new Set(['trafficrollout', 'trafficdrain', 'operational']);

function look({ name, flow }: ServiceView, why: string): Recommended {
  const failed = flow?.moves.findLast(({ state }) => state === 'failed')?.phase;
  // Moves on traffic and soaks run no tasks: what the service itself wrote tells.
  const task = failed !== undefined && withoutTasks.has(failed) ? undefined : failed;
  const line = `afloat logs ${name}${task === undefined ? '' : ` --task ${task}`}`;
  return { line, why, takesSeconds: 0, costs: 'nothing, it only shows' };
}

function goBack({ name }: ServiceView, objects: CloudObjects, why: string): Recommended {
  const step = leadingFlow(objects, name)?.spec.planned?.step;
  const cost = step?.goingBack.cost ?? 'nothing';
  return {
    line: `afloat rollback ${name}`,
    why,
    // Going back by moving traffic takes no more than its settle time; all else takes what the change took.
    takesSeconds: cost === 'traffic' || cost === 'nothing' ? 30 : (step?.estimateSeconds ?? 0),
    costs: costWords[cost],
  };
}

/** The answer that brings the service back to where it was. */
function answerFor({ name, flow }: ServiceView, objects: CloudObjects): Recommended {
  const question = flow?.question?.question ?? 'rollback';
  const step = leadingFlow(objects, name)?.spec.planned?.step;
  const destroys = question === 'purge' || question === 'contract' || question === 'unclean';
  return {
    line: `afloat approve --answer ${name}:${question}=${destroys ? 'no' : 'yes'}`,
    why: destroys
      ? 'saying no keeps everything as it is; say yes when it is meant'
      : `${name} waits for this answer`,
    takesSeconds: destroys ? 0 : (step?.estimateSeconds ?? 0),
    costs: destroys ? 'nothing' : answerCost(question, leadingFlow(objects, name), objects.now),
  };
}

function answerCost(question: string, flow: Oslc | undefined, now: string): string {
  const writes = flow?.status?.writesSince;
  if (question === 'restore' && writes !== undefined)
    return `what clients wrote since ${sayMoment(writes, now)} is lost`;
  if (
    question === 'restore' &&
    flow?.status?.losses?.some(({ known, tables }) => !known || tables.length > 0)
  )
    return 'what was written since the backup is lost';
  const impact = flow?.spec.planned?.step.impact;
  return impact === undefined ? 'nothing' : sayImpacts(impact);
}

/** What lets the plan go on, where it waits for a person. */
function planCommand(objects: CloudObjects): Recommended | undefined {
  const plan = newestPlan(objects);
  const wait = plan && nameOfPlanWait(plan);
  if (!plan || !wait) return undefined;
  const { name, digest, estimateSeconds, impact, approval, closedStages } = planView(plan, objects);
  const more = { why: wait.message, takesSeconds: estimateSeconds, costs: sayImpacts(impact) };
  const consents = approval.missing.map(consent => ` --consent ${consent}`).join('');
  if (wait.reason === 'WaitingForApproval')
    return { line: `afloat approve ${name} --digest ${shortDigest(digest)}${consents}`, ...more };
  if (wait.reason === 'WaitingForStage')
    return { line: `afloat approve ${name} --stage ${closedStages[0] ?? '<stage>'}`, ...more };
  return wait.reason === 'Paused' ? { line: 'afloat resume', ...more } : undefined;
}
