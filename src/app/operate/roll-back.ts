import type { Finding } from '../../api/finding.ts';
import type { LifecyclePlan } from '../../api/lifecycle-plan.ts';
import { sayDuration } from '../../base/duration.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import { type CloudObjects, revisionsOf } from '../../status/cloud-objects.ts';
import { newestFlows } from '../../status/leading-flows.ts';
import { missingConsents, stepsThatAsk } from '../../status/plan-view.ts';
import { sayImpacts } from '../../status/recommend.ts';
import type { Intent } from '../operator-verbs.ts';
import { fieldManager } from './apply-record.ts';
import { sayItAsks } from './approve.ts';
import { goesBack, sayAbort } from './say-abort.ts';
import { notSo, type SignedDesk, writeSpec } from './write-spec.ts';

/** What a plan that goes back is made of. */
export interface RollbackRequest {
  readonly namespace: string;
  readonly objects: CloudObjects;
  readonly service: string;
  /** The revision to go back to; the one before the newest where it is absent. */
  readonly toRevision?: number;
}

/**
 * Makes plans beside the record. `back` brings one service back to a revision: a LifecyclePlan as it is to be created, without an approval, with
 * `spec.holds`; or everything that stands against it. Writes nothing.
 */
export interface PlansBeside {
  back(request: RollbackRequest): Promise<PlannedBeside>;
  /** The same for the contract of the databases of a service; it holds nothing. */
  contract(namespace: string, service: string): Promise<PlannedBeside>;
}

export type PlannedBeside = { readonly plan: LifecyclePlan } | { readonly findings: readonly Finding[] };

/** Brings a service back: by moving traffic while the old version is still kept, else by a plan of its own. */
export async function rollBack(
  desk: SignedDesk,
  service: string,
  toRevision: number | undefined,
  plans: PlansBeside,
): Promise<Intent> {
  const { objects } = desk.snapshot;
  const open = newestFlows(objects, service).filter(({ status }) => status?.end === undefined);
  const soaking = open.filter(({ status }) => status?.settledAt !== undefined);
  if (soaking.some(({ spec }) => spec.planned?.step.flow === 'rollback'))
    throw notSo(
      `${service} was just rolled back and soaks: there is no rollback of a rollback. To try the newer version again, say: afloat retry ${service}`,
    );
  if (soaking.some(flow => !goesBack(flow)))
    throw notSo(
      `the soak of ${service} is over, and its old version is just being removed: say it again when that is over. To see it end: afloat watch`,
    );
  const isFormer = soaking.every(
    ({ spec }) => toRevision === undefined || spec.planned?.step.from?.revision === toRevision,
  );
  if (open.length > 0 && soaking.length === open.length && isFormer) {
    const from = soaking[0]?.spec.planned?.step.from?.version;
    return {
      says: [
        ...soaking.map(sayAbort),
        'It takes seconds, and no request is lost.',
        ...gitChange(service, from),
      ],
      asks: true,
      leadsTo: { flows: soaking.map(({ metadata }) => metadata.name) },
      carryOut: async () => {
        for (const { metadata } of soaking) await writeSpec(desk, 'Oslc', metadata.name, { aborted: true });
        return [`moving the traffic of ${service} back`];
      },
    };
  }
  if (open.length > 0) throw notSo(`a flow of ${service} runs: wait for it, or say: afloat abort ${service}`);
  if (
    toRevision !== undefined &&
    !revisionsOf(objects, service).some(({ spec }) => spec.number === toRevision)
  )
    throw notSo(`${service} has no revision ${toRevision}; see: afloat history ${service}`);
  const made = await plans.back({
    namespace: desk.namespace,
    objects,
    service,
    ...(toRevision === undefined ? {} : { toRevision }),
  });
  if ('findings' in made) throw notSo(made.findings.map(({ message }) => message).join('; '));
  return planIntent(desk, service, made.plan);
}

function planIntent(desk: SignedDesk, service: string, plan: LifecyclePlan): Intent {
  const { spec } = plan;
  const to = spec.plan.steps.find(step => step.service === service)?.to;
  const missing = missingConsents(plan);
  const approval = { digest: spec.digest, approvedBy: desk.user, approvedAt: desk.now, consents: [] };
  const { name } = plan.metadata;
  return {
    says: [
      `${service} goes back to ${to?.version ?? 'its former version'}${to?.revision === undefined ? '' : ` (revision ${to.revision})`}: about ${sayDuration(spec.plan.estimateSeconds)}, ${sayImpacts(spec.plan.impact)}.`,
      ...missing.map(
        consent => `It starts when this was agreed to: afloat approve ${name} --consent ${consent}`,
      ),
      ...stepsThatAsk(plan).map(sayItAsks),
      ...gitChange(service, to?.version),
    ],
    asks: true,
    leadsTo: { plan: name },
    carryOut: async () => {
      const whole = missing.length > 0 ? plan : { ...plan, spec: { ...spec, approval } };
      const object = { ...whole, metadata: { ...whole.metadata, namespace: desk.namespace } };
      await desk.cluster.create(object as unknown as ClusterObject, { fieldManager });
      return [`made plan ${name}${missing.length > 0 ? '; it waits for a consent' : ' and approved it'}`];
    },
  };
}

/** The record is not edited: what a person has to change where it is kept. */
function gitChange(service: string, version: string | undefined): string[] {
  return [
    `The record is not changed, and ${service} is held against it. To make it last, change the record where it is kept:`,
    `    services: [{ name: ${service}, version: "${version ?? '<former version>'}" }]`,
  ];
}
