import { type Container, containersOf, type PodSpec } from '../pod-shape.ts';
import { quantity } from './quantity.ts';

const counted = ['cpu', 'memory'] as const;

/** How a Pod asks for resources: all limits and equal requests, some, or none. */
export function qosClass(spec: PodSpec): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const all = containersOf(spec);
  const asks = (container: Container) =>
    counted.some(name => amount(container, 'limits', name) || amount(container, 'requests', name));
  if (!all.some(asks)) return 'BestEffort';
  return all.every(isGuaranteed) ? 'Guaranteed' : 'Burstable';
}

function isGuaranteed(container: Container): boolean {
  return counted.every(name => {
    const limit = amount(container, 'limits', name);
    // A request that is left out is the limit.
    return limit !== 0 && (amount(container, 'requests', name) || limit) === limit;
  });
}

function amount({ resources }: Container, side: 'limits' | 'requests', name: string): number {
  return quantity(resources?.[side]?.[name] ?? 0) ?? 0;
}
