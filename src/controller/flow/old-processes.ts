import { componentLabel, phaseLabel, serviceLabel, sliceLabel } from '../../api/labels.ts';
import type { FlowScope } from './flow-scope.ts';

/**
 * Whether a process of another version than the one that serves still runs. Only a contract asks: what old code reads is about to be taken
 * away. Pods of the serving version are told by their slices.
 */
export async function oldProcessesOf({ world, namespace, planned, state }: FlowScope): Promise<boolean> {
  if (planned.step.flow !== 'contract') return false;
  const serving = new Set(
    (state.current?.spec.parts ?? []).flatMap(({ component, slices }) =>
      slices.map(slice => `${component} ${slice}`),
    ),
  );
  const { items } = await world.cluster.list(
    { apiVersion: 'v1', kind: 'Pod' },
    { namespace, labelSelector: `${serviceLabel}=${planned.step.service},${sliceLabel},!${phaseLabel}` },
  );
  return items.some(({ metadata, ...pod }) => {
    const phase = (pod['status'] as { phase?: string } | undefined)?.phase;
    const isOver = phase === 'Succeeded' || phase === 'Failed';
    const labels = metadata.labels ?? {};
    return !isOver && !serving.has(`${labels[componentLabel]} ${labels[sliceLabel]}`);
  });
}
