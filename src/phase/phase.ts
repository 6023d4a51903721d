/**
 * Phase: one move of a flow, carried out.
 *
 * In: `PhaseRun`, what the move is about and what is known of it. Out: `PhaseOutcome`, where it is now and what a status says of it.
 * Never: waits inside a pass, decides which move follows, remembers anything between passes that is not in the objects of the world.
 */
import { catalog } from './catalog.ts';
import { done, type Notes, type PhaseOutcome, type PhasePorts, type PhaseRun } from './phase-run.ts';

/** One pass: the acts of the move, in order, up to the first that is not done. */
export async function runPhase(run: PhaseRun, ports: PhasePorts): Promise<PhaseOutcome> {
  const notes: Notes = {
    progress: [],
    backups: [],
    schemas: [],
    losses: [],
    ...(run.traffic ? { traffic: run.traffic } : {}),
  };
  for (const act of catalog[run.move.task]) {
    const outcome = await act(run, ports, notes);
    if (outcome.kind !== 'done') return { outcome, notes };
  }
  return { outcome: done, notes };
}
