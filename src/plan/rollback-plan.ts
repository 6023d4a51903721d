import { finding } from '../api/finding.ts';
import type { PartTarget, ServiceTarget } from '../package/package.ts';
import { decideData } from './data-steps.ts';
import { makeSteps } from './make-steps.ts';
import { mergeParts } from './merge-parts.ts';
import { differenceOf } from './object-changes.ts';
import type { ObservedRevision, ObservedService } from './observed-state.ts';
import { assemble, type PlanInput, type PlanResult, placeSteps } from './plan.ts';
import { moveBetween } from './version-facts.ts';
import { stateThatWaits } from './waiting.ts';
import type { ServiceWish } from './wish.ts';

/**
 * The plan of its own that returns one service to a former revision: the one before what runs, unless another is named. It does nothing
 * else, whatever the record asks for; the record stays as it is, and the service is held.
 */
export function makeRollbackPlan(input: PlanInput, service: string, to?: number): PlanResult {
  const { record, observed } = input;
  const running = observed.services.find(({ name }) => name === service);
  if (!running || running.parts.length === 0)
    return refuse('StateInvalid', `${service} does not run here`, 'See what runs: afloat status');
  const waits = stateThatWaits(running);
  if (running.state === 'InFlow' && waits)
    return refuse('StateInvalid', waits.message, 'Wait for it, or break it off: afloat abort');
  const revision = revisionFor(running, to);
  if (!revision) {
    const known = running.revisions.map(({ number, version }) => `${number} (${version})`).join(', ');
    const what = to === undefined ? 'no revision before the one that runs' : `no revision ${to}`;
    return refuse(
      'RevisionUnknown',
      `${service} has ${what}`,
      `Revisions that are kept: ${known || 'none'}.`,
    );
  }
  const wish = wishFor(input, running, revision);
  const data = decideData(record, wish);
  const merged = mergeParts(record, wish, data.steps);
  const { steps, findings } = makeSteps(record, merged.wish, data.steps);
  const problems = [...data.findings, ...merged.findings, ...findings];
  if (problems.length > 0) return { findings: problems };
  const placed = placeSteps(record, steps, [{ wish: merged.wish, steps: steps.map((_, index) => index) }]);
  if ('cycle' in placed) return refuse('DependencyCycle', `${service} waits for itself`, 'Report this.');
  const plan = assemble(record, [merged.wish], placed);
  return { plan: { ...plan, offers: [] } };
}

function refuse(code: Parameters<typeof finding>[0], message: string, advice: string): PlanResult {
  return { findings: [finding(code, message, {}, advice)] };
}

/** The revision that is named; else the newest one that is not what runs, by version or by package, and no higher version. */
function revisionFor(running: ObservedService, to: number | undefined): ObservedRevision | undefined {
  const { revisions, revision: current } = running;
  if (to !== undefined) return revisions.find(({ number }) => number === to && number !== current);
  const now = revisions.find(({ number }) => number === current);
  return revisions.find(
    ({ number, version, packageDigest }) =>
      number < (current ?? 0) &&
      (version !== now?.version || packageDigest !== now?.packageDigest) &&
      // What was gone back from is a way forward.
      !isHigher(running, version),
  );
}

function isHigher({ version: now, lifecycle }: ObservedService, version: string): boolean {
  return now !== undefined && lifecycle !== undefined && moveBetween(now, version, lifecycle) === 'up';
}

/** Every part of the service goes back: the last that came up goes first. */
function wishFor({ record }: PlanInput, running: ObservedService, revision: ObservedRevision): ServiceWish {
  const { name: service, lifecycle } = running;
  const { number, version, packageDigest } = revision;
  const why = [
    `a person asked for it: version ${running.version ?? 'now'} -> ${version}, which ran here as revision ${number}`,
  ];
  const partOf = (part: ObservedService['parts'][number]): PartTarget => ({
    component: part.component,
    ...(part.hostGroup === undefined ? {} : { hostGroup: part.hostGroup }),
    ...{ version, packageDigest, inventory: part.inventory, needs: [] },
    lifecycle: { ...(lifecycle as ServiceTarget['lifecycle']), version },
  });
  const parts = running.parts.map(part => ({
    component: part.component,
    ...(part.hostGroup === undefined ? {} : { hostGroup: part.hostGroup }),
    flow: 'rollback' as const,
    inPlace: false,
    target: partOf(part),
    running: part,
    revision,
    why,
    // What was kept of the revision is applied as it is; it is not compared with what runs.
    changes: differenceOf(part.inventory, part.inventory).changes,
  }));
  const target: ServiceTarget = {
    ...{ service, version, packageDigest },
    lifecycle: { ...(lifecycle as ServiceTarget['lifecycle']), version },
    parts: parts.map(part => part.target),
  };
  return {
    service,
    wanted: record.services.find(candidate => candidate.name === service),
    target,
    running,
    purge: false,
    notes: [],
    parts: parts.toReversed(),
  };
}
