import type { FlowKind } from '../api/flow-kinds.ts';
import type { ObjectChange, Waiting } from '../api/lifecycle-plan.ts';
import type { PartTarget, ServiceTarget } from '../package/package.ts';
import type { ResolvedService } from '../record/record.ts';
import type { ObservedPart, ObservedRevision, ObservedService } from './observed-state.ts';

/** What shall happen to one part of a service, and why. The first thing planning decides; everything else follows from it. */
export interface PartWish {
  readonly component: string;
  readonly hostGroup?: string;
  readonly flow: FlowKind;
  /** Whether nothing that serves is stopped or replaced. */
  readonly inPlace: boolean;
  readonly target: PartTarget | undefined;
  readonly running: ObservedPart | undefined;
  /** The parts it stands for, where all of a service changes as one. */
  readonly covers?: readonly string[];
  /** The revision a rollback goes to. */
  readonly revision?: ObservedRevision;
  readonly why: readonly string[];
  readonly changes: readonly ObjectChange[];
}

/** What shall happen to one service. `parts` is empty where nothing is to be done, or where it waits. */
export interface ServiceWish {
  readonly service: string;
  readonly wanted: ResolvedService | undefined;
  readonly target: ServiceTarget | undefined;
  readonly running: ObservedService | undefined;
  /** In the order they are changed. */
  readonly parts: readonly PartWish[];
  readonly waiting?: Waiting;
  /** Whether its databases are to be removed with it. */
  readonly purge: boolean;
  readonly notes: readonly string[];
}

/** What a part is called in a plan: `keystone`, `nova.api`, `nova.compute@zone-a`. */
export function partName(
  service: string,
  part: { readonly component: string; readonly hostGroup?: string },
): string {
  const component = part.component === service ? service : `${service}.${part.component}`;
  return part.hostGroup === undefined ? component : `${component}@${part.hostGroup}`;
}

/** True when a service will be there after the plan: it is wanted, or stays because its removal waits. */
export function staysOrComes(wish: ServiceWish): boolean {
  return (
    wish.wanted !== undefined ||
    (wish.running?.state !== 'Absent' && !wish.parts.some(part => part.flow === 'uninstall'))
  );
}

/** The version a service has when the plan is done: the target, or what runs where nothing is done. */
export function finalVersion(wish: ServiceWish): string | undefined {
  if (wish.waiting) return wish.running?.version;
  return wish.target?.version ?? wish.running?.version;
}

/** The lifecycle in force when the plan is done. */
export function finalLifecycle(wish: ServiceWish): ServiceTarget['lifecycle'] | undefined {
  if (wish.waiting) return wish.running?.lifecycle;
  return wish.target?.lifecycle ?? wish.running?.lifecycle;
}
