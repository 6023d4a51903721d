import { ownDataTask } from '../../api/data-task.ts';
import { done, type Notes, type Outcome, type PhasePorts, type PhaseRun, sideOf } from '../phase-run.ts';
import { databaseOf, oneDatabase } from './one-database.ts';

/** Makes sure that the backups which the step takes find room, where our own program takes them: nothing is touched yet. */
export async function findRoom(run: PhaseRun, ports: PhasePorts, notes: Notes): Promise<Outcome> {
  for (const name of backedUpByUs(run)) {
    const outcome = await oneDatabase('estimate', name, { run, ports, notes, side: sideOf(run) });
    if (outcome.kind !== 'done') return outcome;
  }
  return done;
}

/** The databases of which the step takes a backup with our own program. */
export function backedUpByUs(run: PhaseRun): readonly string[] {
  return run.step.data.flatMap(({ database, backup }) => {
    const known = backup ? databaseOf(sideOf(run), database) : undefined;
    return known && ownDataTask(known) !== undefined ? [database] : [];
  });
}
