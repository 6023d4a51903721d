import { describe, expect, it } from 'vitest';
import type { Backup } from '../../api/service-revision.ts';
import { aPlanStep, dataStep } from '../../testing/a-plan-step.ts';
import type { FlowObject, RevisionObject } from '../our-objects.ts';
import { unsureDatabases } from './backup-fits.ts';
import { backupsOf } from './observe-cloud.ts';

const taken = '2026-01-01T00:00:00.000Z';

/** A proved backup; `2/1` is one of a database that was expanded to 2 and contracted to 1. */
function proved(location: string, marks?: string, database = 'identity'): Backup {
  const [expandedTo, contractedTo] = marks?.split('/') ?? [];
  return {
    ...{ database, location, checksum: 'c', takenAt: taken, verifiedAt: taken },
    ...(expandedTo === undefined ? {} : { expandedTo }),
    ...(contractedTo === undefined ? {} : { contractedTo }),
  };
}

/** A revision that a flow led to, with the schema it left and the backups it took first. */
function revision(
  number: number,
  [flow, version, marks]: readonly [flow: string, version: string, marks: string],
  ...backups: readonly Backup[]
): RevisionObject {
  const [expandedTo, contractedTo] = marks.split('/');
  const schemas = [{ database: 'identity', expandedTo, contractedTo }];
  return { spec: { number, flow, version, schemas, backups } } as unknown as RevisionObject;
}

const installed = revision(1, ['install', '1', '1/1']);
const expanded = revision(2, ['upgrade', '2', '2/1'], proved('before the upgrade', '1/1'));
const contracted = revision(3, ['contract', '2', '2/2'], proved('before the contract', '2/1'));
const back = revision(4, ['rollback', '1', '2/1'], proved('before the way back', '2/2'));
const uncontracted = revision(3, ['upgrade', '3', '3/1'], proved('before the third', '2/1'));
const oldStore = [
  revision(2, ['upgrade', '2', '2/1'], proved('two')),
  revision(3, ['contract', '2', '2/2'], proved('three')),
];

describe('what a return to a revision restores', () => {
  it.each<[string, number, readonly RevisionObject[], readonly string[]]>([
    ['is what the next change took', 1, [installed, expanded], ['before the upgrade']],
    ['is nothing where nothing followed', 2, [installed, expanded], []],
    [
      'is the backup that loses least: the one before the contract, not the one before the upgrade',
      1,
      [contracted, expanded, installed],
      ['before the contract'],
    ],
    [
      'is never one that was taken after a contract',
      1,
      [installed, expanded, contracted, back],
      ['before the contract'],
    ],
    [
      'is one that was expanded beyond what it knows',
      2,
      [
        installed,
        expanded,
        uncontracted,
        revision(4, ['contract', '3', '3/3'], proved('before it all', '3/1')),
      ],
      ['before it all'],
    ],
    [
      'is none that was not expanded far enough yet',
      2,
      [installed, expanded, contracted, back, revision(5, ['upgrade', '2', '2/1'], proved('too old', '1/1'))],
      ['before the way back'],
    ],
    ['is the first after it where none says what it holds', 1, [installed, ...oldStore], ['two']],
    [
      'is not one that was not proved',
      1,
      [
        installed,
        expanded,
        revision(3, ['contract', '2', '2/2'], {
          ...{ database: 'identity', location: 'x', checksum: 'c', takenAt: taken },
          ...{ expandedTo: '2', contractedTo: '1' },
        }),
      ],
      ['before the upgrade'],
    ],
    [
      'is one for each database',
      1,
      [
        installed,
        revision(2, ['upgrade', '2', '2/1'], proved('two', '1/1')),
        revision(3, ['upgrade', '2', '2/1'], proved('other', undefined, 'o')),
      ],
      ['two', 'other'],
    ],
  ])('%s', (_, number, all, want) => {
    expect(backupsOf(number, all).map(({ location }) => location)).toEqual(want);
  });
});

describe('what a database holds', () => {
  const flow = (kind: 'upgrade' | 'contract' | 'rollback', moves: Readonly<Record<string, string>>) =>
    ({
      spec: {
        planned: {
          step: aPlanStep(kind, {
            data: [
              dataStep(kind === 'upgrade' ? 'migrate' : kind === 'contract' ? 'contract' : 'restore'),
              { database: 'other', action: 'keep', backup: false },
            ],
          }),
        },
      },
      status: { moves: Object.entries(moves).map(([id, state]) => ({ id, state })) },
    }) as unknown as FlowObject;
  const halfContracted = flow('contract', { 'main/back-up:new': 'done', 'main/contract:new': 'failed' });
  it.each<[string, readonly FlowObject[], readonly string[]]>([
    ['is sure where nothing changed it', [flow('contract', { 'main/back-up:new': 'failed' })], []],
    ['is not sure after a contract that failed', [halfContracted], ['keystone']],
    ['nor while one that came later only looked', [flow('contract', {}), halfContracted], ['keystone']],
    [
      'is sure again after one that came to its end',
      [flow('contract', { 'main/contract:new': 'done' }), halfContracted],
      [],
    ],
    [
      'is sure after a migration that was taken back',
      [flow('upgrade', { 'main/migrate:new': 'failed', 'back/restore:old': 'done' })],
      [],
    ],
    [
      'is not sure after a restore that failed',
      [flow('rollback', { 'main/restore:new': 'failed' })],
      ['keystone'],
    ],
  ])('%s', (_, flows, want) => {
    expect(unsureDatabases(flows)).toEqual(want);
  });
});
