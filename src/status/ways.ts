import type { OperationalStatus, WayStatus } from '../api/phase-kinds.ts';
import { byAge } from './cloud-objects.ts';

/** As much of a phase as says who answers. */
interface Keeper {
  readonly metadata: { readonly name: string; readonly creationTimestamp?: string };
  readonly spec: { readonly openstackServiceName: string };
  readonly status?: object;
}

/** The ways clients take to a service, with how many addresses answer there, as the phases that keep it say; the newest word on each. */
export function waysOf(
  { phases }: { readonly phases: readonly Keeper[] },
  service: string,
): readonly WayStatus[] {
  const own = byAge(phases.filter(({ spec }) => spec.openstackServiceName === service));
  const said = own.flatMap(({ status }) => (status as OperationalStatus | undefined)?.ways ?? []);
  return [...new Map(said.map(way => [way.service, way])).values()];
}

/** Whether nobody answers at a way. */
export function isDead({ ready, wanted }: WayStatus): boolean {
  return ready === 0 && wanted !== 0;
}

/** Whether fewer answer at a way than shall. */
export function isWeak(way: WayStatus): boolean {
  return !isDead(way) && way.ready < (way.wanted ?? 0);
}

/** What clients notice of a way that is not well, in a sentence. */
export function sayWay(way: WayStatus): string {
  if (isDead(way)) return `no address of ${way.service} is ready`;
  return `${way.service} is served by ${way.ready} of ${way.wanted ?? way.ready} addresses`;
}
