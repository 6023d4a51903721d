import { type Finding, finding } from '../api/finding.ts';
import type { Waiting } from '../api/lifecycle-plan.ts';
import { compareText } from '../base/json.ts';
import type { ServiceTarget } from '../package/package.ts';
import type { Refusal } from '../package/read-packages.ts';
import type { ResolvedRecord, ResolvedService } from '../record/record.ts';
import { contentsNow } from './contents.ts';
import { differenceOf } from './object-changes.ts';
import type { ObservedService, ObservedState } from './observed-state.ts';
import { type PartContext, partWishes } from './part-wishes.ts';
import { against, refusedWaiting } from './refusal.ts';
import { heldByPerson, stateThatWaits, whyItWaits } from './waiting.ts';
import type { PartWish, ServiceWish } from './wish.ts';

/** The wishes, and what cannot be wished for. */
export interface Wishes {
  readonly wishes: readonly ServiceWish[];
  readonly refused: readonly Refusal[];
}

/**
 * Record and packages against what runs: one wish for every service of either, in name order. Services that are as
 * they shall be have a wish without parts; so have those that were refused before, with the reason.
 */
export function makeWishes(
  record: ResolvedRecord,
  targets: readonly ServiceTarget[],
  observed: ObservedState,
  refused: readonly Refusal[] = [],
): Wishes {
  const contents = contentsNow(observed);
  const running = new Map(observed.services.map(service => [service.name, service]));
  const byName = new Map(targets.map(target => [target.service, target]));
  const wanted = new Set(record.services.map(service => service.name));
  const left = new Map(
    [...wanted, ...running.keys()].map(service => [service, refusedWaiting(service, refused)]),
  );
  const named = record.services.flatMap(service => {
    const target = byName.get(service.name);
    const now = running.get(service.name);
    const waiting = left.get(service.name);
    if (waiting) return [{ wish: leftAsItIs(service, now, waiting), findings: [] }];
    return target ? [wishFor({ record, wanted: service, target, running: now, contents })] : [];
  });
  const leftOut = observed.services
    .filter(service => !wanted.has(service.name))
    .map(service => {
      const wish = wishForLeftOut(record, service);
      const waiting = left.get(service.name);
      return waiting ? { ...wish, parts: [], waiting } : wish;
    });
  return {
    wishes: [...named.map(answer => answer.wish), ...leftOut].sort((a, b) =>
      compareText(a.service, b.service),
    ),
    refused: [
      ...named.flatMap(({ wish, findings }) => against(wish.service, findings)),
      ...observed.services
        .filter(({ name }) => !left.get(name))
        .flatMap(service => against(service.name, contradictions(service))),
    ],
  };
}

/** A service whose wish was refused: nothing is done to it. */
function leftAsItIs(
  wanted: ResolvedService,
  running: ObservedService | undefined,
  waiting: Waiting,
): ServiceWish {
  const { name: service } = wanted;
  return { service, wanted, target: undefined, running, purge: false, notes: [], parts: [], waiting };
}

/** A state that says two things at once is no ground to plan on. */
function contradictions({ name, state, parts }: ObservedService): Finding[] {
  // A first install that runs, or that stopped half way, may have nothing to show yet.
  if (state !== 'Operational' || parts.length > 0) return [];
  return [
    finding('StateInvalid', `the observed state calls ${name} ${state} and names no part of it that runs`),
  ];
}

function wishFor(context: PartContext): { wish: ServiceWish; findings: readonly Finding[] } {
  const { wanted, target, running, contents } = context;
  const { parts, notes, findings } = partWishes(context);
  const wish = {
    service: wanted.name,
    wanted,
    target,
    running,
    purge: false,
    notes: [...notes, ...endOfSoak(running, parts), ...startsAfterStop(running, parts)],
  };
  const differs = parts.length > 0 || findings.length > 0;
  const waiting = differs ? whyItWaits(wanted, target, running, contents) : undefined;
  // What waits is not done, so nothing about it can be wrong yet.
  return waiting
    ? { wish: { ...wish, parts: [], waiting }, findings: [] }
    : { wish: { ...wish, parts }, findings };
}

/** The next change of a service ends the soak of the one before, and with it the quick way back to the version before that. */
function endOfSoak(running: ObservedService | undefined, wishes: ServiceWish['parts']): string[] {
  if (!running?.soaking || wishes.length === 0) return [];
  const { name, version = 'what runs' } = running;
  return [
    `${name}: this ends the soak of ${version}, once the checks of this plan have passed: what ran before ${version} is then removed, and traffic can no longer be moved back to it`,
  ];
}

/** A flow that could go neither on nor back is behind this plan: who approves it must know what it starts from. */
function startsAfterStop(running: ObservedService | undefined, wishes: ServiceWish['parts']): string[] {
  if (running?.state !== 'Irreconcilable' || wishes.length === 0) return [];
  const { name, version = 'what ran before', left, hold } = running;
  const from =
    left === 'withdrawn'
      ? 'what it left is replaced, and its data is kept'
      : `${version} serves, and this plan starts from it`;
  return [`${name}: the flow before stopped and needed a person; ${from}. ${hold?.message ?? ''}`.trim()];
}

/** A service that the record no longer names goes only when the record also says that it shall go. */
function wishForLeftOut(record: ResolvedRecord, running: ObservedService): ServiceWish {
  const { name: service } = running;
  const removal = record.spec.removed.find(entry => entry.name === service);
  const purge = removal?.purgeData ?? false;
  const wish = { service, wanted: undefined, target: undefined, running, purge, notes: [], parts: [] };
  if (running.state === 'Absent') {
    return purge && running.databases.length > 0 ? { ...wish, parts: [keptData(service)] } : wish;
  }
  const stuck = removal ? (stateThatWaits(running) ?? heldByPerson(running)) : undefined;
  if (stuck) return { ...wish, waiting: stuck };
  if (!removal) {
    return {
      ...wish,
      waiting: {
        service,
        reason: 'RemovalNeedsConsent',
        message: `${service} runs, but the record no longer names it. It stays until the record says that it shall go.`,
        advice: `To remove it, add \`- { name: ${service} }\` to spec.removed; to keep it, put it back into spec.services.`,
      },
    };
  }
  const parts = running.parts.map(part => ({
    component: part.component,
    ...(part.hostGroup === undefined ? {} : { hostGroup: part.hostGroup }),
    flow: 'uninstall' as const,
    inPlace: false,
    target: undefined,
    running: part,
    why: ['the record lists it under spec.removed'],
    changes: differenceOf(part.inventory, []).changes,
  }));
  // What was built last is taken away first.
  return { ...wish, parts: parts.reverse() };
}

/** What is left of a service that is gone: its data. */
function keptData(service: string): PartWish {
  const why = ['the record asks to purge the data that was kept when it was removed'];
  return {
    component: service,
    flow: 'uninstall',
    inPlace: false,
    target: undefined,
    running: undefined,
    why,
    changes: [],
  };
}
