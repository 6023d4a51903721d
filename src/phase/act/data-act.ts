import type { DataVerb } from '../../data/data.ts';
import { type Act, done, type Notes, type Outcome, type PhasePorts, type PhaseRun } from '../phase-run.ts';
import { databaseOf, oneDatabase, sideThatKnows } from './one-database.ts';
import { putSupport } from './put-support.ts';

/** Does one thing to each database of the move, one after the other, with what the package of the move's side brings for it. */
export function dataAct(verb: DataVerb): Act {
  return async (run, ports, notes) => {
    const side = sideThatKnows(run);
    const support = await putSupport('missing')(run, ports, notes);
    if (support.kind !== 'done') return support;
    for (const name of run.move.databases ?? []) {
      const outcome = await oneDatabase(verb, name, { run, ports, notes, side });
      if (outcome.kind !== 'done') return outcome;
    }
    return done;
  };
}

/**
 * Drops the databases that this flow created. One that the package brings nothing to drop is left, and that is said: nobody but tasks of this
 * flow wrote to it. Where no task makes it either, the next install takes it for its own, and its migration goes on from what it finds.
 */
export async function dropCreated(run: PhaseRun, ports: PhasePorts, notes: Notes): Promise<Outcome> {
  const side = sideThatKnows(run);
  const support = await putSupport('missing')(run, ports, notes);
  if (support.kind !== 'done') return support;
  for (const name of run.move.databases ?? []) {
    const outcome = await oneDatabase('drop', name, { run, ports, notes, side });
    const isLeft = outcome.kind === 'failed' && outcome.reason === 'TaskMissing';
    if (outcome.kind !== 'done' && !isLeft) return outcome;
    if (!isLeft) continue;
    const message = 'left as it is: no client wrote to it, and the package brings no task that drops it';
    notes.progress.push({ name: `database ${name}`, state: 'done', message });
    if (databaseOf(side, name)?.init === undefined) notes.schemas.push({ database: name });
  }
  return done;
}
