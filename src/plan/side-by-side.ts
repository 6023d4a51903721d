import type { Strategy } from '../api/fields.ts';
import type { PlanStep } from '../api/lifecycle-plan.ts';
import type { InventoryItem } from '../api/service-revision.ts';

/** Kinds that run pods and have one name for all of them. */
const controllers: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);

/** What cannot stand twice, side by side, because its name or its volumes are there once. */
function standsOnce({ kind, name }: InventoryItem): boolean {
  return kind === 'StatefulSet' || kind === 'DaemonSet' || !name.includes('${slice}');
}

/**
 * Why two versions of these workloads cannot run the way the strategy asks for; undefined where they can. Bluegreen needs
 * everything twice; rolling can also go pod by pod through what is ordered by number or by host.
 */
export function whyNotSideBySide(
  strategy: Strategy,
  inventory: readonly InventoryItem[],
): string | undefined {
  if (strategy === 'recreate') return undefined;
  const running = inventory.filter(item => item.role === 'workload' && controllers.has(item.kind));
  const blocking = running.filter(
    item => standsOnce(item) && !(strategy === 'rolling' && item.kind !== 'Deployment'),
  );
  const [first] = blocking;
  if (!first) return undefined;
  const why = first.kind === 'Deployment' ? 'has no `${slice}` in its name' : `is a ${first.kind}`;
  return `${first.kind}/${first.name} ${why}, so two versions of it cannot stand side by side`;
}

/**
 * What changes pod by pod under one name, as Kubernetes itself does it: no slice of it can be kept from clients until it is tested, or
 * drained alone. Undefined where the workloads can be told apart by their slices.
 */
export function goesPodByPod(
  strategy: PlanStep['strategy'],
  inventory: readonly InventoryItem[],
): InventoryItem | undefined {
  if (strategy !== 'rolling') return undefined;
  const running = inventory.filter(item => item.role === 'workload' && controllers.has(item.kind));
  return running.every(standsOnce) ? running[0] : undefined;
}

/** How many slices a rolling change can walk through: never more than there are pods. */
export function slicesOf(wanted: number, inventory: readonly InventoryItem[]): number {
  const counts = inventory
    .filter(item => item.role === 'workload' && (item.kind === 'Deployment' || item.kind === 'StatefulSet'))
    .map(item => item.replicas ?? 1);
  return counts.length === 0 ? wanted : Math.max(1, Math.min(wanted, ...counts));
}

/** Whether something that serves would have no pod left. */
export function goesToZero(inventory: readonly InventoryItem[]): boolean {
  return inventory.some(item => item.role === 'workload' && item.replicas === 0);
}
