import type { Waiting } from '../api/lifecycle-plan.ts';
import type { ServiceTarget } from '../package/package.ts';
import type { ResolvedService } from '../record/record.ts';
import { type Contents, contentNames } from './contents.ts';
import type { ObservedService } from './observed-state.ts';
import { targetDigest } from './target-digest.ts';

/** Why a wish that is right is not acted on now: paused, busy, held. Said to the person, not done. */
export function whyItWaits(
  wanted: ResolvedService,
  target: ServiceTarget,
  running: ObservedService | undefined,
  contents: Contents,
): Waiting | undefined {
  const service = wanted.name;
  if (wanted.paused) {
    return {
      service,
      reason: 'Paused',
      message: `${service} differs from the record, and the record says paused.`,
      advice: 'Take `paused: true` away to have it changed.',
    };
  }
  if (!running) return undefined;
  const isHeld = running.hold?.target === targetDigest(target, knownContents(wanted, contents));
  if (running.state === 'Irreconcilable' && running.hold && !isHeld) return stuckWaiting(running);
  return (
    stateThatWaits(running) ?? heldByPerson(running) ?? (isHeld ? heldWaiting(running, target) : undefined)
  );
}

/**
 * The record asks for something else than what could go neither on nor back. Where that left what ran before as it was, a change can start
 * from there as from any service that serves; so can an install where only traffic was taken away. Anything else is no start.
 */
function stuckWaiting({ name: service, left, hold }: ObservedService): Waiting | undefined {
  if (left === 'before' || left === 'withdrawn') return undefined;
  return {
    service,
    reason: 'Irreconcilable',
    message:
      `The record was changed, but ${service} is not as any revision says: its last flow stopped half way, and a change starts only from a version that serves. ${hold?.message ?? ''}`.trim(),
    advice: `See what is left with \`afloat status ${service}\`, mend it, then say: afloat retry ${service}. The record as it is then is what is planned.`,
  };
}

function knownContents(wanted: ResolvedService, contents: Contents): { name: string; digest: string }[] {
  return contentNames(wanted).flatMap(name => {
    const digest = contents.get(name);
    return digest === undefined ? [] : [{ name, digest }];
  });
}

function heldWaiting({ name: service, hold, version }: ObservedService, target: ServiceTarget): Waiting {
  return {
    service,
    reason: 'HeldAfterRollback',
    message:
      `${target.version} was rolled back here; ${service} stays at ${version ?? 'what runs'}. ${hold?.message ?? ''}`.trim(),
    advice: `Change the record (back to ${version ?? 'the version that runs'}, or on to a better one), or try the same again: afloat retry ${service}`,
  };
}

/** A person said that it stays, whatever the record says. */
export function heldByPerson({ name: service, hold, version }: ObservedService): Waiting | undefined {
  if (hold?.by !== 'person') return undefined;
  return {
    service,
    reason: 'HeldByPerson',
    message: `A person holds ${service} at ${version ?? 'what runs'}. ${hold.message}`.trim(),
    advice: `To let it go: afloat resume ${service}`,
  };
}

/** A state in which a service takes no new flow. */
export function stateThatWaits({ name: service, state }: ObservedService): Waiting | undefined {
  if (state === 'InFlow') {
    return {
      service,
      reason: 'FlowRunning',
      message: `A flow of ${service} is running; a service has one flow at a time.`,
      advice: 'Wait for it: the record is planned again by itself when it ends.',
    };
  }
  if (state !== 'Irreconcilable') return undefined;
  return {
    service,
    reason: 'Irreconcilable',
    message: `The last flow of ${service} stopped and could not go on or back by itself.`,
    advice: `See what happened with \`afloat status ${service}\`, mend it, then: afloat retry ${service}`,
  };
}
