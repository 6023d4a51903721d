import { type Finding, finding } from '../api/finding.ts';
import { compareText } from '../base/json.ts';
import type { ServiceTarget } from '../package/package.ts';
import type { ResolvedRecord } from '../record/record.ts';
import { contentsNow } from './contents.ts';
import { differenceOf } from './object-changes.ts';
import type { ObservedService, ObservedState } from './observed-state.ts';
import { type PartContext, partWishes } from './part-wishes.ts';
import { heldByPerson, stateThatWaits, whyItWaits } from './waiting.ts';
import type { PartWish, ServiceWish } from './wish.ts';

/** The wishes, and what cannot be wished for. */
export interface Wishes {
  readonly wishes: readonly ServiceWish[];
  readonly findings: readonly Finding[];
}

/**
 * Record and packages against what runs: one wish for every service of either, in name order. Services that are as
 * they shall be have a wish without parts.
 */
export function makeWishes(
  record: ResolvedRecord,
  targets: readonly ServiceTarget[],
  observed: ObservedState,
): Wishes {
  const contents = contentsNow(observed);
  const running = new Map(observed.services.map(service => [service.name, service]));
  const byName = new Map(targets.map(target => [target.service, target]));
  const wanted = new Set(record.services.map(service => service.name));
  const named = record.services.flatMap(service => {
    const target = byName.get(service.name);
    return target
      ? [wishFor({ record, wanted: service, target, running: running.get(service.name), contents })]
      : [];
  });
  const leftOut = observed.services
    .filter(service => !wanted.has(service.name))
    .map(service => wishForLeftOut(record, service));
  return {
    wishes: [...named.map(answer => answer.wish), ...leftOut].sort((a, b) =>
      compareText(a.service, b.service),
    ),
    findings: [...named.flatMap(answer => answer.findings), ...observed.services.flatMap(contradictions)],
  };
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
    notes: [...notes, ...untested(target, parts)],
  };
  const differs = parts.length > 0 || findings.length > 0;
  const waiting = differs ? whyItWaits(wanted, target, running, contents) : undefined;
  // What waits is not done, so nothing about it can be wrong yet.
  return waiting
    ? { wish: { ...wish, parts: [], waiting }, findings: [] }
    : { wish: { ...wish, parts }, findings };
}

/** Nothing untested takes traffic; where a package brings no test of its own, that is said before it does. */
function untested({ service, version, parts }: ServiceTarget, wishes: ServiceWish['parts']): string[] {
  const comes = wishes.some(wish => wish.flow === 'install' || wish.flow === 'upgrade');
  const hasTest = parts.some(part =>
    part.inventory.some(item => item.phases.includes('test') && item.role === 'task'),
  );
  if (!comes || hasTest) return [];
  return [
    `${service}: the package of ${version} brings no test; only its probes are looked at before it takes traffic`,
  ];
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
