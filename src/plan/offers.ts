import type { Offer } from '../api/lifecycle-plan.ts';
import { contractIsPending, headOf } from './data-steps.ts';
import type { ObservedDatabase, ObservedService } from './observed-state.ts';
import { partName, type ServiceWish } from './wish.ts';

/** Contracts that are still to come, each a plan of its own that a person must ask for. In name order. */
export function offersFor(wishes: readonly ServiceWish[]): Offer[] {
  return wishes.flatMap(({ running, parts }) => {
    if (!running || running.state === 'Absent') return [];
    const pending = pendingContracts(running);
    if (pending.length === 0) return [];
    const obstacle =
      contractObstacle(running, pending) ??
      (parts.length > 0 ? 'this plan changes the service first' : undefined);
    return [offerOf(running, pending, obstacle)];
  });
}

/** The databases of a service whose contract is pending. */
export function pendingContracts(running: ObservedService): ObservedDatabase[] {
  return running.databases.filter(database => contractIsPending(database, running.lifecycle));
}

/** Why a pending contract cannot run now; undefined when it can. */
export function contractObstacle(
  running: ObservedService,
  pending: readonly ObservedDatabase[],
): string | undefined {
  const alive = pending.reduce((sum, database) => sum + database.oldProcesses, 0);
  if (alive > 0)
    return `${alive} ${alive === 1 ? 'process' : 'processes'} of the old version still ${alive === 1 ? 'uses' : 'use'} it`;
  const behindOthers = running.parts.find(part => part.version !== running.version);
  if (behindOthers) return `${partName(running.name, behindOthers)} still runs ${behindOthers.version}`;
  if (pending.some(database => database.rowsToMove)) return 'rows are still to be moved';
  if (running.hold?.by === 'person') return `a person holds ${running.name}`;
  if (running.soaking) return 'the soak of the last change is not over';
  if (running.state !== 'Operational') return `${running.name} is not operational`;
  const behind = pending.find(database => {
    const known = running.lifecycle?.data.find(entry => entry.name === database.name);
    return known && running.lifecycle && headOf(known, running.lifecycle) !== database.expandedTo;
  });
  return behind ? `the version that runs does not know the schema ${behind.expandedTo}` : undefined;
}

function offerOf(
  running: ObservedService,
  pending: readonly ObservedDatabase[],
  obstacle: string | undefined,
): Offer {
  const names = pending.map(database => database.name);
  const what = `The contract of ${names.join(', ')} is pending: after it there is no way back to the version before ${running.version ?? 'this one'} without losing writes.`;
  return {
    service: running.name,
    flow: 'contract',
    databases: names,
    ready: obstacle === undefined,
    message: obstacle === undefined ? what : `${what} It cannot start: ${obstacle}.`,
    advice:
      obstacle === undefined
        ? `afloat approve --contract ${running.name}`
        : 'Nothing to do now; it is offered again when it can start.',
  };
}
