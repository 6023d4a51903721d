import type { MoveTask } from '../api/flow-kinds.ts';
import { adjustSoftware } from './act/adjust-software.ts';
import { applySoftware } from './act/apply-software.ts';
import { checkTarget } from './act/check-target.ts';
import { dataAct, dropCreated } from './act/data-act.ts';
import { giveTraffic } from './act/give-traffic.ts';
import { listLoss } from './act/list-loss.ts';
import { removeSoftware, removeWorkloads } from './act/remove-software.ts';
import { runBeforeMigration, runPhaseTasks, runRemovalTasks } from './act/run-phase-tasks.ts';
import { runReconcile } from './act/run-reconcile.ts';
import { runTests } from './act/run-tests.ts';
import { settleSide } from './act/settle-side.ts';
import { soak } from './act/soak.ts';
import { stopSoftware } from './act/stop-software.ts';
import { suspendSchedules } from './act/suspend-schedules.ts';
import { takeFound } from './act/take-found.ts';
import { takeTraffic } from './act/take-traffic.ts';
import type { Act } from './phase-run.ts';

/** What each move is made of. A move without an entry does not compile. */
export const catalog: Record<MoveTask, readonly Act[]> = {
  check: [checkTarget],
  'list-loss': [listLoss],
  'create-data': [dataAct('create')],
  'back-up': [dataAct('back-up')],
  'verify-backup': [dataAct('verify')],
  expand: [dataAct('expand')],
  migrate: [takeFound, stopSoftware('old'), runBeforeMigration, dataAct('migrate')], // the old code may not survive the new schema; it runs until here only where its backup needs it
  'move-rows': [dataAct('move-rows')],
  contract: [dataAct('contract')],
  restore: [stopSoftware('both'), dataAct('restore')], // nobody writes while data is brought back
  reconcile: [runReconcile],
  'clean-up': [takeFound, runRemovalTasks('before')],
  'remove-data': [stopSoftware('both'), dropCreated],
  'purge-data': [stopSoftware('both'), dataAct('drop')],
  apply: [takeFound, runPhaseTasks('before'), applySoftware, runPhaseTasks('after')],
  adjust: [takeFound, adjustSoftware],
  test: [takeFound, runTests],
  'give-traffic': [takeFound, giveTraffic],
  'take-traffic': [takeFound, suspendSchedules, takeTraffic],
  stop: [takeFound, stopSoftware('old')],
  settle: [settleSide],
  soak: [soak],
  remove: [takeFound, removeWorkloads, runRemovalTasks('after'), removeSoftware],
};
