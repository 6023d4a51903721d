import type { Kind } from './kind.ts';
import { lifecyclePlan } from './lifecycle-plan.ts';
import { openstackDeployment } from './openstack-deployment.ts';
import { oslc } from './oslc.ts';
import { phaseKinds } from './phase-kinds.ts';
import { serviceRevision } from './service-revision.ts';

/** Every kind of the group. CRDs, reference pages and validation are made from this list. */
export const kinds: readonly Kind[] = [
  openstackDeployment,
  lifecyclePlan,
  serviceRevision,
  oslc,
  ...phaseKinds,
];

/** The kind of that name, if it is ours. */
export function findKind(name: string): Kind | undefined {
  return kinds.find(kind => kind.kind === name);
}
