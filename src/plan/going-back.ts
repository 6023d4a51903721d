import type { BackStep, GoingBack, PlanStep } from '../api/lifecycle-plan.ts';
import { sayDuration } from '../base/duration.ts';

/** What decides how a step is undone. */
export type StepFacts = Pick<
  PlanStep,
  'flow' | 'strategy' | 'data' | 'rollback' | 'soakSeconds' | 'stateOutside' | 'unrouted'
>;

/** What it takes to undo a step, and the same in words. Words are made when they are read: a plan keeps facts. */
type WayBack = GoingBack & { readonly says: string };

/** What it takes to undo a step after it is done, and whether that is possible at all. */
export function goingBackFrom(step: StepFacts): GoingBack {
  const { says: _says, ...facts } = wayBackOf(step);
  return facts;
}

/** The same for people, with the moment from which it costs more. */
export function sayGoingBack(step: StepFacts): string {
  return wayBackOf(step).says;
}

function wayBackOf(step: StepFacts): WayBack {
  switch (step.flow) {
    case 'install':
      return {
        flow: 'uninstall',
        cost: step.data.some(entry => entry.action === 'migrate') ? 'writes' : 'nothing',
        says: fromInstall(step),
      };
    case 'upgrade':
      return fromUpgrade(step);
    case 'reconfigure':
      return { flow: 'rollback', ...softwareOnly(step) };
    case 'rollback':
      return fromRollback(step);
    case 'uninstall':
      return step.data.some(data => data.action === 'purge')
        ? { cost: 'impossible', says: 'Its data is gone for good once it is purged.' }
        : {
            flow: 'install',
            cost: 'outage',
            says: 'Install it again from its last revision; its data was kept.',
          };
    case 'contract':
      return {
        flow: 'rollback',
        cost: 'writes',
        says: 'Only by restoring the backup that was taken before it: what clients wrote since is lost, and a person must agree to that.',
      };
  }
}

function fromInstall({ data }: StepFacts): string {
  const found = data.some(entry => entry.action === 'migrate' || entry.action === 'expand');
  const kept = found
    ? ' A database that was there before is restored from its backup only while no client has written to it.'
    : '';
  return `Uninstall it. A database this step created goes with it only while no client has written to it.${kept}`;
}

/** True when the way back ends with this step, so that a person must say it. */
export function endsTheWayBack(step: StepFacts, back: GoingBack): boolean {
  return step.flow === 'contract' || back.cost === 'impossible';
}

function fromRollback(step: StepFacts): WayBack {
  const back = softwareOnly(step);
  if (!step.data.some(entry => entry.action === 'restore')) return { flow: 'upgrade', ...back };
  const lost =
    'What clients wrote since the restored backup stays lost; it is in the backup that is taken first.';
  return { flow: 'upgrade', cost: back.cost, says: `${back.says} ${lost}` };
}

function fromUpgrade(step: StepFacts): WayBack {
  const migrated = step.data.filter(data => data.action === 'migrate').map(data => data.database);
  if (migrated.length === 0) return { flow: 'rollback', ...softwareOnly(step) };
  if (step.rollback.data === 'never') {
    return {
      cost: 'impossible',
      says: `The migration of ${migrated.join(', ')} is not split and its data policy is \`never\`.`,
    };
  }
  const until = freeUntil(step);
  if (step.stateOutside === 'unrecoverable') {
    return {
      cost: 'impossible',
      says: `Until ${until}, by restoring the backup. From then on never: the service has state outside its databases.`,
    };
  }
  return {
    flow: 'rollback',
    cost: 'writes',
    says: `Until ${until}, by restoring the backup, and nothing is lost. From then on it costs what clients wrote since.`,
  };
}

/** The moment from which on something may be written that a restore would lose. */
function freeUntil({ unrouted, data }: StepFacts): string {
  if (data.some(({ servedHere }) => servedHere))
    return 'its backup begins, for the database runs in the service itself';
  return unrouted
    ? 'the new version runs, for no route keeps writes from all of it'
    : 'traffic is on the new version';
}

function softwareOnly({ strategy, soakSeconds, data }: StepFacts): Pick<WayBack, 'cost' | 'says'> {
  if (strategy === 'inplace') return { cost: 'nothing', says: 'Set back in place; nothing is replaced.' };
  const later = data.some(entry => entry.action === 'expand')
    ? ' No data is touched until the contract, which is a plan of its own.'
    : '';
  if (strategy === 'bluegreen') {
    const soak = `For ${sayDuration(soakSeconds)} after the change traffic is moved back; after that the old version comes up beside the new one first.`;
    return { cost: 'traffic', says: `${soak}${later}` };
  }
  if (strategy === 'rolling') return { cost: 'traffic', says: `Slice by slice, as it came.${later}` };
  return { cost: 'outage', says: `The service is down while the old version starts.${later}` };
}

/** The way back of a whole plan: its steps undone in reverse order, those that nothing undoes said as such. */
export function wayBack(steps: readonly PlanStep[]): BackStep[] {
  return steps.toReversed().map(({ id, from, goingBack }) => ({
    undoes: id,
    ...(goingBack.flow === undefined ? {} : { flow: goingBack.flow }),
    ...(from === undefined ? {} : { to: from }),
    cost: goingBack.cost,
  }));
}
