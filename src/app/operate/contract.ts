import { sayDuration } from '../../base/duration.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import { sayImpacts } from '../../status/recommend.ts';
import type { Intent } from '../operator-verbs.ts';
import { fieldManager } from './apply-record.ts';
import type { PlansBeside } from './roll-back.ts';
import { notSo, type SignedDesk } from './write-spec.ts';

/** Contracts the databases of a service: a plan of its own, and a person's word on its point of no return. */
export async function contract(desk: SignedDesk, service: string, plans: PlansBeside): Promise<Intent> {
  const made = await plans.contract(desk.namespace, service);
  if ('findings' in made) throw notSo(made.findings.map(({ message }) => message).join('; '));
  const { plan } = made;
  const { spec, metadata } = plan;
  const databases = spec.plan.steps.flatMap(({ data }) => data.map(({ database }) => database));
  const consents = spec.plan.steps.flatMap(({ id, consents: asked }) =>
    asked.map(consent => ({ step: id, consent })),
  );
  const approval = { digest: spec.digest, approvedBy: desk.user, approvedAt: desk.now, consents };
  return {
    says: [
      `The databases of ${service} are contracted: ${databases.join(', ')}; about ${sayDuration(spec.plan.estimateSeconds)}, ${sayImpacts(spec.plan.impact)}.`,
      'This is the point of no return: the version before can be had again only by restoring a backup, which loses what clients wrote since.',
    ],
    asks: true,
    carryOut: async () => {
      const object = {
        ...plan,
        metadata: { ...metadata, namespace: desk.namespace },
        spec: { ...spec, approval },
      };
      await desk.cluster.create(object as unknown as ClusterObject, { fieldManager });
      return [`made plan ${metadata.name} and approved it`];
    },
  };
}
