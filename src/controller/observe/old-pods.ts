import { componentLabel, phaseLabel, serviceLabel, sliceLabel } from '../../api/labels.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { ServiceState } from './service-state.ts';

/**
 * How many Pods of a service run in slices that no part of the serving revision has: old code, which a contract would take the ground
 * from. Tasks do not count, nor do Pods that have ended.
 */
export async function countOldPods(
  cluster: Cluster,
  namespace: string,
  { service, current }: Pick<ServiceState, 'service' | 'current'>,
): Promise<number> {
  const serving = new Set(
    (current?.spec.parts ?? []).flatMap(({ component, slices }) =>
      slices.map(slice => `${component} ${slice}`),
    ),
  );
  const { items } = await cluster.list(
    { apiVersion: 'v1', kind: 'Pod' },
    { namespace, labelSelector: `${serviceLabel}=${service},${sliceLabel},!${phaseLabel}` },
  );
  return items.filter(({ metadata, ...pod }) => {
    const phase = (pod['status'] as { phase?: string } | undefined)?.phase;
    const { [componentLabel]: component, [sliceLabel]: slice } = metadata.labels ?? {};
    return phase !== 'Succeeded' && phase !== 'Failed' && !serving.has(`${component} ${slice}`);
  }).length;
}
