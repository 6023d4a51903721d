import { type Finding, finding } from '../api/finding.ts';
import { seriesJump } from '../api/version/series.ts';
import { didYouMean } from '../base/did-you-mean.ts';
import type { Refusal } from '../package/read-packages.ts';
import type { ResolvedRecord } from '../record/record.ts';
import { placeOf } from './place.ts';
import { against } from './refusal.ts';
import { isInside, moveBetween, releasesBetween, seriesOf } from './version-facts.ts';
import {
  finalLifecycle,
  finalVersion,
  type PartWish,
  partName,
  type ServiceWish,
  staysOrComes,
} from './wish.ts';

interface Checking {
  readonly record: ResolvedRecord;
  readonly wishes: ReadonlyMap<string, ServiceWish>;
}

/** A named fact that a plan must not contradict; yields a finding for each place where it does. */
type Limit = (checking: Checking, wish: ServiceWish) => Iterable<Finding>;

/** Reading the list is reading the rules. Each is checked for every service, changed or not. */
const limits: readonly Limit[] = [
  requirementsAreMet, // in the cloud as it will be
  requirementsHoldMeanwhile, // while what is required has moved and the one who requires it has not
  upgradesStartWhereTheyMay, // `upgrade.from`
  upgradesComeAfterWhatTheyName, // `upgrade.after`
  jumpsAreSupported, // one release, or SLURP to SLURP
  skewIsAllowed, // between the components of one service
  nothingRequiredIsRemoved, // a service goes only when nobody needs it
];

/** Everything that versions, requirements and skew forbid about these wishes. Empty when the plan may be made. */
export function checkLimits(record: ResolvedRecord, wishes: readonly ServiceWish[]): Refusal[] {
  const checking = { record, wishes: new Map(wishes.map(wish => [wish.service, wish])) };
  return wishes.flatMap(wish =>
    against(
      wish.service,
      limits.flatMap(limit => [...limit(checking, wish)]),
    ),
  );
}

/** What a service requires: its package's word, and the record's `dependsOn` without a limit. */
export function requirementsOf(wish: ServiceWish): { service: string; version: string }[] {
  const own = wish.waiting ? [] : (wish.target?.parts ?? []).map(part => part.lifecycle);
  const lifecycles = own.length > 0 ? own : [finalLifecycle(wish)];
  const named = uniqueRequirements(lifecycles.flatMap(lifecycle => lifecycle?.requires ?? []));
  const added = (wish.wanted?.dependsOn ?? [])
    .filter(service => !named.some(entry => entry.service === service))
    .map(service => ({ service, version: '*' }));
  return [...named, ...added];
}

/** Parts at several versions may ask for the same service in the same words; that is said once. */
function uniqueRequirements(
  all: readonly { service: string; version: string }[],
): { service: string; version: string }[] {
  return [...new Map(all.map(entry => [`${entry.service} ${entry.version}`, entry])).values()];
}

function* requirementsAreMet({ record, wishes }: Checking, wish: ServiceWish): Generator<Finding> {
  if (!wish.wanted) return;
  for (const needed of requirementsOf(wish)) {
    const other = wishes.get(needed.service);
    if (!other || !staysOrComes(other)) {
      if (other?.parts.some(part => part.flow === 'uninstall')) continue; // told by nothingRequiredIsRemoved
      const near = didYouMean(needed.service, wishes.keys());
      const message = `${wish.service} ${finalVersion(wish) ?? ''} needs ${needed.service}, which is not in the record`;
      const advice = near
        ? `Did you mean \`${near}\`? Otherwise add ${needed.service} to spec.services.`
        : undefined;
      yield finding('RequirementMissing', message, placeOf(record, wish.wanted), advice);
      continue;
    }
    const version = finalVersion(other);
    if (version === undefined || isInside(version, needed.version, finalLifecycle(other))) continue;
    const message = `${wish.service} ${finalVersion(wish) ?? ''} needs ${needed.service} ${needed.version}, but that will be ${version}`;
    yield finding('VersionLimitBroken', message, placeOf(record, wish.wanted, 'version'));
  }
}

/**
 * What is required is changed before the one who requires it. Between the two changes the old version runs on the
 * new ground, and its own limits must allow that.
 */
function* requirementsHoldMeanwhile({ record, wishes }: Checking, wish: ServiceWish): Generator<Finding> {
  if (!wish.wanted || !wish.parts.some(part => part.flow === 'upgrade')) return;
  for (const needed of wish.running?.lifecycle?.requires ?? []) {
    const other = wishes.get(needed.service);
    const next = other?.parts.find(part => part.flow === 'upgrade')?.target;
    if (!other || !next || isInside(next.version, needed.version, next.lifecycle)) continue;
    const message = `${needed.service} goes to ${next.version} first, but ${wish.service} ${wish.running?.version ?? ''}, which still runs then, needs ${needed.service} ${needed.version}`;
    const advice = `Go to a version of ${wish.service} that works with both first, in a plan of its own.`;
    yield finding('VersionLimitBroken', message, placeOf(record, other.wanted, 'version'), advice);
  }
}

function* upgradesStartWhereTheyMay({ record }: Checking, wish: ServiceWish): Generator<Finding> {
  for (const part of wish.parts) {
    if (part.flow !== 'upgrade' || !part.target || !part.running) continue;
    const { from } = part.target.lifecycle.upgrade;
    if (part.running.version === part.target.version) continue;
    if (isInside(part.running.version, from, part.target.lifecycle)) continue;
    const message = `${partName(wish.service, part)} ${part.target.version} can be reached from ${from} only, and ${part.running.version} runs`;
    yield finding(
      'VersionLimitBroken',
      message,
      placeOf(record, wish.wanted, 'version'),
      'Go to a version in between first.',
    );
  }
}

function* upgradesComeAfterWhatTheyName({ record, wishes }: Checking, wish: ServiceWish): Generator<Finding> {
  if (!wish.wanted || !wish.parts.some(part => part.flow === 'upgrade')) return;
  for (const after of upgradeAfter(wish)) {
    const other = wishes.get(after.service);
    const version = other && finalVersion(other);
    if (!other || version === undefined || isInside(version, after.version, finalLifecycle(other))) continue;
    const message = `${after.part} ${after.to} may be upgraded only after ${after.service} reached ${after.version}, but that will be ${version}`;
    yield finding('VersionLimitBroken', message, placeOf(record, wish.wanted, 'version'));
  }
}

/** What must have been reached before this service is upgraded: the word of the package of each part that moves. */
export function upgradeAfter(
  wish: ServiceWish,
): { part: string; to: string; service: string; version: string }[] {
  return wish.parts.flatMap(part => {
    const { target } = part;
    if (part.flow !== 'upgrade' || !target) return [];
    return target.lifecycle.upgrade.after.map(after => ({
      part: partName(wish.service, part),
      to: target.version,
      ...after,
    }));
  });
}

function* jumpsAreSupported({ record }: Checking, wish: ServiceWish): Generator<Finding> {
  const jump = jumpOf(wish);
  if (!jump || jump.supported || wish.wanted?.allowUnsupportedJump) return;
  const message = `${wish.service} ${wish.running?.version} -> ${wish.target?.version}: ${jump.because}`;
  yield finding('UnsupportedJump', message, placeOf(record, wish.wanted, 'version'));
}

/** The jump between OpenStack releases that an upgrade of the service makes; undefined where releases are not known. */
export function jumpOf(wish: ServiceWish): { supported: boolean; because: string } | undefined {
  const { running, target } = wish;
  if (!target || running?.version === undefined || !wish.parts.some(part => part.flow === 'upgrade'))
    return undefined;
  const from = seriesOf(running.version, running.lifecycle);
  const to = seriesOf(target.version, target.lifecycle);
  return from && to && to.ordinal > from.ordinal ? seriesJump(from, to) : undefined;
}

function* skewIsAllowed({ record }: Checking, wish: ServiceWish): Generator<Finding> {
  const { target, wanted } = wish;
  if (!target || !wanted || wish.waiting) return;
  const { skew } = target.lifecycle.upgrade;
  const newest = target.version;
  for (const part of target.parts) {
    const allowed = skew[part.component] ?? 0;
    const apart = releasesBetween(newest, part.version, target.lifecycle) ?? 0;
    if (apart > 0 && moveBetween(newest, part.version, target.lifecycle) === 'up') {
      const message = `${partName(wish.service, part)} would be at ${part.version}, ahead of ${wish.service} ${newest}`;
      yield finding(
        'SkewBroken',
        message,
        placeOf(record, wanted, 'components'),
        `Bring ${wish.service} to ${part.version} first.`,
      );
      continue;
    }
    if (apart > allowed) {
      const message = `${partName(wish.service, part)} would stay at ${part.version} beside ${wish.service} ${newest}: ${releases(apart)} apart, and at most ${allowed} is allowed`;
      yield finding('SkewBroken', message, placeOf(record, wanted, 'components'));
    }
  }
  yield* skewMeanwhile({ record, wish, skew, newest });
}

/** The first part that moves leaves the others behind for a while, and that distance has a limit too. */
function* skewMeanwhile(facts: {
  record: ResolvedRecord;
  wish: ServiceWish;
  skew: Readonly<Record<string, number>>;
  newest: string;
}): Generator<Finding> {
  const { record, wish, skew, newest } = facts;
  const lifecycle = wish.target?.lifecycle;
  const moves = wish.parts.some(part => part.flow === 'upgrade' && part.target?.version === newest);
  if (!lifecycle || !moves) return;
  for (const part of wish.running?.parts ?? []) {
    const allowed = skew[part.component];
    const apart = releasesBetween(newest, part.version, lifecycle);
    if (allowed === undefined || apart === undefined || apart <= allowed) continue;
    const alsoFinal = wish.target?.parts.some(
      end =>
        end.component === part.component && end.hostGroup === part.hostGroup && end.version === part.version,
    );
    if (alsoFinal) continue; // already told as the final state
    const message = `${partName(wish.service, part)} runs ${part.version} and would be ${releases(apart)} behind while ${wish.service} ${newest} comes up; at most ${allowed} is allowed`;
    yield finding(
      'SkewBroken',
      message,
      placeOf(record, wish.wanted, 'version'),
      `Go to ${newest} in smaller steps.`,
    );
  }
}

function* nothingRequiredIsRemoved({ record, wishes }: Checking, wish: ServiceWish): Generator<Finding> {
  if (wish.wanted || !wish.parts.some(isRemoval)) return;
  const needers = [...wishes.values()]
    .filter(
      other => staysOrComes(other) && requirementsOf(other).some(needed => needed.service === wish.service),
    )
    .map(other => other.service);
  if (needers.length === 0) return;
  const path = ['spec', 'removed'];
  yield finding(
    'StillRequired',
    `${wish.service} is to be removed, but ${needers.join(', ')} ${needers.length === 1 ? 'needs' : 'need'} it`,
    {
      ...(record.file === undefined ? {} : { file: record.file }),
      ...record.locate(path),
      field: 'spec.removed',
    },
  );
}

function isRemoval(part: PartWish): boolean {
  return part.flow === 'uninstall';
}

function releases(count: number): string {
  return count === 1 ? '1 release' : `${count} releases`;
}
