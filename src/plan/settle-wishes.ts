import type { Waiting } from '../api/lifecycle-plan.ts';
import { requirementsOf } from './check-limits.ts';
import { isInside } from './version-facts.ts';
import { finalLifecycle, finalVersion, type ServiceWish } from './wish.ts';

/**
 * Lets a service wait for one that waits. What a person paused or a rollback holds must not stop the rest of the cloud: only
 * services that stand on it, or that it stands on, wait with it, until nothing more follows from that.
 */
export function settleWishes(wishes: readonly ServiceWish[]): readonly ServiceWish[] {
  if (!wishes.some(wish => wish.waiting)) return wishes;
  const settled = new Map(wishes.map(wish => [wish.service, wish]));
  for (let moved = true; moved; ) {
    moved = false;
    for (const wish of settled.values()) {
      const waiting = wish.waiting ? undefined : waitsWith(wish, settled);
      if (!waiting) continue;
      settled.set(wish.service, { ...wish, parts: [], waiting });
      moved = true;
    }
  }
  return [...settled.values()];
}

function waitsWith(wish: ServiceWish, wishes: ReadonlyMap<string, ServiceWish>): Waiting | undefined {
  if (wish.parts.length === 0) return undefined;
  for (const needed of requirementsOf(wish)) {
    const other = wishes.get(needed.service);
    if (!other?.waiting) continue;
    const version = finalVersion(other);
    const there =
      version !== undefined &&
      other.running?.state !== 'InFlow' &&
      isInside(version, needed.version, finalLifecycle(other));
    if (!there) return waitingFor(wish.service, other.waiting, `needs ${needed.service} ${needed.version}`);
  }
  return [...wishes.values()].flatMap(other => holdsBack(wish, other) ?? [])[0];
}

/** A service that waits keeps what it stands on inside its limits. */
function holdsBack(wish: ServiceWish, other: ServiceWish): Waiting | undefined {
  if (!other.waiting) return undefined;
  const needed = requirementsOf(other).find(entry => entry.service === wish.service);
  const next = wish.target?.version;
  if (!needed || next === undefined || isInside(next, needed.version, wish.target?.lifecycle))
    return undefined;
  return waitingFor(
    wish.service,
    other.waiting,
    `${next} is outside what ${other.service} needs (${needed.version})`,
  );
}

function waitingFor(service: string, other: Waiting, why: string): Waiting {
  return {
    service,
    reason: 'RequirementWaits',
    message: `${service} ${why}, and ${other.service} waits: ${other.reason}.`,
    advice: `First see to ${other.service}: ${other.advice}`,
  };
}
