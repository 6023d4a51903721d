import { apiVersion } from '../api/group.ts';
import { type LifecyclePlan, lifecyclePlan } from '../api/lifecycle-plan.ts';
import { type OpenstackDeployment, openstackDeployment } from '../api/openstack-deployment.ts';
import { type Oslc, oslc } from '../api/oslc.ts';
import { type PhaseSpec, type PhaseStatus, phaseKinds } from '../api/phase-kinds.ts';
import type { PhaseName } from '../api/phase-names.ts';
import { type ServiceRevision, serviceRevision } from '../api/service-revision.ts';
import { compareText } from '../base/json.ts';
import type { ObjectType, StoredObject } from '../cluster/cluster.ts';
import type { Informer } from '../reconcile/informer.ts';

const typeOf = (kind: string): ObjectType => ({ apiVersion, kind });

/** The kinds controllers are for. */
export const recordType = typeOf(openstackDeployment.kind);
export const planType = typeOf(lifecyclePlan.kind);
export const flowType = typeOf(oslc.kind);
export const revisionType = typeOf(serviceRevision.kind);
export const phaseTypes: readonly ObjectType[] = phaseKinds.map(({ kind }) => typeOf(kind));

const kindOfPhase = new Map(phaseKinds.map(({ phase, kind }) => [phase, kind]));
const phaseOfKind = new Map(phaseKinds.map(({ phase, kind }) => [kind, phase]));

/** The kind that stands for a phase. */
export function typeOfPhase(phase: PhaseName): ObjectType {
  return typeOf(kindOfPhase.get(phase) ?? '');
}

/** The phase a kind stands for. */
export function phaseOf(object: { readonly kind: string }): PhaseName {
  return phaseOfKind.get(object.kind) ?? 'planning';
}

/** Objects of our kinds as a server gives them: it has checked them against their schemas. */
export type RecordObject = StoredObject & Pick<OpenstackDeployment, 'spec' | 'status'>;
export type PlanObject = StoredObject & Pick<LifecyclePlan, 'spec' | 'status'>;
export type FlowObject = StoredObject & Pick<Oslc, 'spec' | 'status'>;
export type RevisionObject = StoredObject & Pick<ServiceRevision, 'spec' | 'status'>;
export type PhaseObject = StoredObject & { readonly spec: PhaseSpec; readonly status?: PhaseStatus };

/** How long what is only summed up, for a flow, a plan or a record, may wait for more of it: a person sees it that much later. */
export const summarySeconds = 2;

/** One object of a kind that the caller knows. */
export function one<T extends StoredObject>(
  informer: Informer,
  namespace: string | undefined,
  name: string,
): T | undefined {
  return informer.get(namespace, name) as T | undefined;
}

/** The objects under a key, of a kind that the caller knows. */
export function under<T extends StoredObject>(informer: Informer, index: string, key: string): readonly T[] {
  return informer.by(index, key) as readonly T[];
}

/** Older first. A server tells the second in which it made an object; of two of the same second the one that began first, then by name. */
export function byAge(a: StoredObject, b: StoredObject): number {
  const [one, other] = [a.metadata, b.metadata];
  return (
    compareText(one.creationTimestamp, other.creationTimestamp) ||
    compareText(beganAt(a), beganAt(b)) ||
    compareText(one.name, other.name)
  );
}

/** What has not begun comes after all that has; what ended without a beginning, such as a plan that expired, when it ended. */
function beganAt(object: StoredObject): string {
  const { startedAt, finishedAt } = (object['status'] ?? {}) as { startedAt?: string; finishedAt?: string };
  return startedAt ?? finishedAt ?? '9';
}
