import { errorCatalog } from '../../api/error-catalog.ts';
import { done, type Notes, type Outcome, type PhasePorts, type PhaseRun } from '../phase-run.ts';
import { backupFor, oneDatabase, sideThatKnows } from './one-database.ts';

/** Why a backup cannot be brought back, whatever a person says. */
const backupFailures: ReadonlySet<string> = new Set([
  'BackupUnknown',
  ...(['BackupDamaged', 'BackupKeyWrong', 'BackupDiffers'] as const).map(code => errorCatalog[code].reason),
]);

/**
 * Asks each database of the move what a restore would drop. A database that cannot be asked is at stake as a whole, and that is said: it
 * is no reason not to ask the person. But on the main path a backup that is not there, or is damaged, ends the flow here, where nothing is
 * touched: a person would agree to something that cannot be. On the way back it is too late for that.
 */
export async function listLoss(run: PhaseRun, ports: PhasePorts, notes: Notes): Promise<Outcome> {
  const scope = { run, ports, notes, side: sideThatKnows(run) };
  for (const name of run.move.databases ?? []) {
    const outcome = await oneDatabase('list-loss', name, scope);
    if (outcome.kind === 'wait') return outcome;
    const unfit = run.move.id.startsWith('main/') ? backupFailure(name, run, outcome) : undefined;
    if (unfit) return unfit;
    if (notes.losses.some(({ database }) => database === name)) continue;
    const why = outcome.kind === 'failed' ? outcome.message : 'its package brings nothing that tells it';
    const toldAt = new Date(run.startedAt).toISOString();
    const since = backupFor('list-loss', name, run)?.takenAt;
    notes.losses.push({
      ...{ database: name, toldAt, known: false, tables: [], ...(since === undefined ? {} : { since }) },
      message: `what was written since the backup cannot be told: ${why}`.slice(0, 1024),
    });
  }
  return done;
}

/** The backup's own failure, where that is what a database was asked in vain for. */
function backupFailure(name: string, run: PhaseRun, outcome: Outcome): Outcome | undefined {
  if (outcome.kind === 'failed' && backupFailures.has(outcome.reason)) return outcome;
  if (backupFor('list-loss', name, run)) return undefined;
  const message = `Database ${name}: no proved backup of it is known that could be restored.`;
  return { kind: 'failed', reason: 'BackupUnknown', message };
}
