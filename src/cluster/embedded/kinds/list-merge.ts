import type { StructuralSchema } from '../../../api/schema/structural-schema.ts';
import { builtinName } from './builtin-schema.ts';

/** What a strategic merge patch does with a list: by the key of its items, item by item as plain values, or as a whole. */
export type ListMerge =
  | { readonly by: 'key'; readonly key: string }
  | { readonly by: 'value' }
  | { readonly by: 'whole' };

const whole: ListMerge = { by: 'whole' };

/**
 * Mostly a patch merges the lists that an apply merges, by the first of their keys. Where it does not, a server's types say so; a test
 * asks its OpenAPI for all of them.
 */
export const unlikeApply: Readonly<Record<string, ListMerge>> = {
  'apiextensions.v1.CustomResourceDefinitionStatus.conditions': whole,
  'batch.v1.JobStatus.conditions': { by: 'key', key: 'type' },
  'batch.v1.PodFailurePolicyOnExitCodesRequirement.values': whole,
  'batch.v1.UncountedTerminatedPods.failed': whole,
  'batch.v1.UncountedTerminatedPods.succeeded': whole,
  'core.v1.ContainerRestartRuleOnExitCodes.values': whole,
  'core.v1.NodeAllocatableResourceClaimStatus.containers': whole,
  'core.v1.PodStatus.hostIPs': { by: 'key', key: 'ip' },
  'core.v1.ResourceRequirements.claims': whole,
  'core.v1.ResourceStatus.resources': whole,
  'discovery.v1.Endpoint.addresses': whole,
};

/** Fields that hold a map which a strategic merge patch replaces as a whole. */
export const replacedMaps: readonly string[] = ['policy.v1.PodDisruptionBudgetSpec.selector'];

/** Fields of which a patch says which keys it leaves: only one of several ways to say something may be there. */
export const retainsKeys: readonly string[] = [
  'apps.v1.DeploymentSpec.strategy',
  'core.v1.PodSpec.resourceClaims',
  'core.v1.PodSpec.volumes',
  'core.v1.PodStatus.resourceClaimStatuses',
];

/** How the list at a field of a built-in type is merged. */
export function listMergeOf(parent: StructuralSchema | undefined, field: string): ListMerge {
  const schema = parent?.properties?.[field];
  const special = unlikeApply[`${parent && builtinName(parent)}.${field}`];
  if (special) return special;
  const { 'x-kubernetes-list-type': type, 'x-kubernetes-list-map-keys': [key] = [] } = schema ?? {};
  if (type === 'map' && key !== undefined) return { by: 'key', key };
  return type === 'set' ? { by: 'value' } : whole;
}
