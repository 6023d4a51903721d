import type { PlanStep } from '../api/lifecycle-plan.ts';
import type { Path } from './move.ts';
import { atEnd, backupMoves, check, databasesTo, dataMove, moveId, pathOf, via } from './moves.ts';

/** The greenfield chart: data, software, test; healthy: traffic. Not healthy: what this flow made is taken away again. */
export function installFlow(step: PlanStep): Readonly<Record<string, Path>> {
  const created = databasesTo(step, 'create');
  const migrated = databasesTo(step, 'migrate');
  const migration = moveId('main', { task: 'migrate', side: 'new' });
  return {
    main: pathOf(
      'main',
      [
        check('new'),
        // A database that was there before, kept from an earlier life, is backed up before its schema moves.
        ...backupMoves(step, 'install', 'new', atEnd('undone')),
        dataMove(created, { phase: 'install', task: 'create-data', side: 'new' }),
        dataMove(databasesTo(step, 'expand'), { phase: 'install', task: 'expand', side: 'new' }),
        dataMove(migrated, { phase: 'install', task: 'migrate', side: 'new' }),
        { phase: 'install', task: 'apply', side: 'new' },
        { phase: 'test', task: 'test', side: 'new' },
        { phase: 'trafficrollout', task: 'give-traffic', side: 'new', onFailure: via('withdraw') },
        { phase: 'operational', task: 'settle', side: 'new', onFailure: atEnd('unsettled') },
      ],
      atEnd('operational'),
      via('remove'),
    ),
    remove: pathOf(
      'remove',
      [
        dataMove(migrated, {
          phase: 'delete',
          task: 'restore',
          side: 'old',
          gates: [{ kind: 'started', move: migration }, { kind: 'rollback' }, { kind: 'restore' }],
        }),
        dataMove(created, {
          phase: 'delete',
          task: 'remove-data',
          side: 'new',
          gates: [{ kind: 'created-here' }, { kind: 'rollback' }],
        }),
        { phase: 'delete', task: 'remove', side: 'new', gates: [{ kind: 'rollback' }] },
      ],
      atEnd('takenback'),
      atEnd('irreconcilable'),
    ),
    // Clients may have written since traffic was given, so neither data nor software is removed.
    withdraw: pathOf(
      'withdraw',
      [{ phase: 'trafficdrain', task: 'take-traffic', side: 'new' }],
      atEnd('withdrawn'),
      atEnd('irreconcilable'),
    ),
  };
}
