import { describe, expect, it } from 'vitest';
import { makeFlow } from '../../flow/flow.ts';
import { lossDigest } from '../../status/loss-digest.ts';
import { aPlanStep, dataStep } from '../../testing/a-plan-step.ts';
import type { PhaseObject } from '../our-objects.ts';
import { backupsAfter, flowFacts, keepsWrites, lossesAfter, schemasAfter } from './flow-facts.ts';
import type { FlowScope } from './flow-scope.ts';
import { moveStatuses, phaseName, stateOfPhase } from './phase-objects.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();
const phase = (id: string, status: object = {}, task = 'apply', kind = 'UpgradePhase') =>
  ({ kind, metadata: { name: id }, spec: { move: { id, task } }, status }) as unknown as PhaseObject;
const backup = (location: string, more: object = {}) => ({
  ...{ database: 'identity', location, checksum: 'c', takenAt: at(0), ...more },
});

function facts(
  step: Parameters<typeof aPlanStep>,
  more: {
    agreedTo?: readonly string[];
    answers?: object;
    aborted?: boolean;
    status?: object;
    phases?: PhaseObject[];
  } = {},
) {
  const { answers, aborted } = more;
  const scope = {
    ...{ phases: more.phases ?? [], status: more.status ?? {}, object: { spec: { answers, aborted } } },
    ...{ flow: makeFlow(aPlanStep(...step)), now: Date.parse(at(100)) },
    planned: { step: aPlanStep(...step), agreedTo: more.agreedTo },
  };
  return flowFacts(scope as unknown as FlowScope, false);
}

describe('what a flow knows', () => {
  it.each([
    [
      'agreed to with the plan answers the question',
      { consents: ['contract'] },
      { agreedTo: ['contract'] },
      { contract: 'yes' },
    ],
    ['agreed to by nobody answers nothing', { consents: ['contract'] }, {}, {}],
    [
      'said since goes over it',
      { consents: ['contract'] },
      { agreedTo: ['contract'], answers: { contract: 'no' } },
      { contract: 'no' },
    ],
    [
      'agreed to as a restore counts only where the plan restores',
      { consents: ['restore'] },
      { agreedTo: ['restore'] },
      {},
    ],
    [
      'agreed to as a restore',
      { consents: ['restore'], data: [dataStep('restore')] },
      { agreedTo: ['restore'] },
      { restore: 'yes' },
    ],
  ] as const)('what a person %s', (_, step, more, want) => {
    expect(facts(['upgrade', step as never], more).answers).toEqual(want);
  });

  it('that whoever wants out says no to what cannot be undone, whatever was said before', () => {
    const yes = { contract: 'yes', purge: 'yes', unclean: 'yes', rollback: 'yes' } as const;
    const found = facts(['contract'], { agreedTo: ['contract'], answers: yes, aborted: true });
    expect(found.answers).toEqual({ contract: 'no', purge: 'no', unclean: 'no', rollback: 'yes' });
  });

  it.each([
    ['recreate', 'upgrade', {}, false],
    ['recreate', 'upgrade', { writesSince: at(1) }, true],
    ['bluegreen', 'upgrade', {}, true],
    ['inplace', 'install', {}, false],
    ['recreate', 'rollback', {}, false],
  ] as const)('whether clients wrote: %s %s with %o', (strategy, flow, status, want) => {
    expect(facts([flow, { strategy }], { status }).clientsWrote).toBe(want);
  });

  it('that clients wrote since a backup that an earlier flow took', () => {
    const restoring = { strategy: 'recreate', data: [dataStep('restore')] } as const;
    expect(facts(['rollback', restoring as never]).clientsWrote).toBe(true);
  });

  it('whether it created the data itself', () => {
    const phases = [phase('main/create-data:new', {}, 'create-data')];
    expect([facts(['install']).createdHere, facts(['install'], { phases }).createdHere]).toEqual([
      false,
      true,
    ]);
  });
});

describe('a yes to a restore', () => {
  const loss = (says: string, toldAt = at(50)) => ({
    ...{ database: 'keystone', toldAt, known: true, tables: [{ table: 'user', says }] },
  });
  const shown = [loss('3 inserted')];
  const yes = { restore: 'yes', restoreOf: lossDigest(shown) } as const;
  const listed = phase('main/list-loss:old', { startedAt: at(1) }, 'list-loss');
  const later = phase('main/check:new', {}, 'check');
  const restoring = [
    'rollback',
    { strategy: 'recreate', data: [dataStep('restore')] },
  ] as unknown as Parameters<typeof aPlanStep>;
  it.each([
    ['counts for the list that it names', yes, shown, [listed], true],
    ['counts for the same list when it was made anew', yes, [loss('3 inserted', at(99))], [listed], true],
    ['is asked for again when the list has grown', yes, [loss('4 inserted')], [listed], false],
    ['that names no list is asked for again', { restore: 'yes' }, shown, [listed], false],
    ['that comes before there is a list waits for it', yes, [], [], false],
    [
      'to a list of which one database was asked long ago waits for a new one',
      { ...yes, restoreOf: lossDigest([...shown, { ...loss('1 deleted'), database: 'other' }]) },
      [loss('3 inserted', at(99)), { ...loss('1 deleted', at(-900)), database: 'other' }],
      [listed],
      false,
    ],
    ['to an old list waits for a new one', yes, [loss('3 inserted', at(-900))], [listed], false],
    [
      'that the flow went on with counts, whatever is told since',
      yes,
      [loss('9 inserted')],
      [listed, later],
      true,
    ],
  ] as const)('%s', (_, answers, losses, phases, counts) => {
    const found = facts(restoring, { answers, status: { losses }, phases: [...phases] });
    expect(found.answers).toEqual(counts ? { restore: 'yes' } : {});
  });

  it('counts where a flow lists no losses', () => {
    const install = ['install', { data: [dataStep('migrate')] }] as unknown as Parameters<typeof aPlanStep>;
    expect(facts(install, { answers: { restore: 'yes' } }).answers).toEqual({ restore: 'yes' });
  });
});

describe('whether a restore keeps what was written', () => {
  const restoring = ['rollback', { data: [dataStep('restore')] }] as const;
  const unsplit = ['upgrade', { strategy: 'recreate', data: [dataStep('migrate')] }] as const;
  it.each([
    ['a rollback, and nobody consented', restoring, {}, {}, true],
    ['a rollback, agreed to with the plan', restoring, { agreedTo: ['restore'] }, {}, false],
    ['a rollback, and a person said yes', restoring, { answers: { restore: 'yes' } }, {}, false],
    ['a rollback, and a person said no', restoring, { answers: { restore: 'no' } }, {}, true],
    ['no client could write', unsplit, {}, {}, false],
    ['traffic was offered', unsplit, {}, { writesSince: at(1) }, true],
    [
      'traffic was offered, and a person said yes',
      unsplit,
      { answers: { restore: 'yes' } },
      { writesSince: at(1) },
      false,
    ],
  ] as const)(
    '%s',
    (_, step, {
      agreedTo = [],
      answers = {},
    }: { agreedTo?: readonly string[]; answers?: object }, status, want) => {
      const planned = { step: aPlanStep(...(step as unknown as Parameters<typeof aPlanStep>)), agreedTo };
      const flow = { spec: { planned, answers }, status } as unknown as Parameters<typeof keepsWrites>[0];
      expect(keepsWrites(flow)).toBe(want);
    },
  );
});

describe('the last word of the moves', () => {
  it('is what the restore dropped, and before it what it would drop', () => {
    const loss = (says: string) => ({
      ...{ database: 'identity', toldAt: at(0), known: true, tables: [{ table: 'user', says }] },
    });
    const listed = phase('l', { startedAt: at(1), finishedAt: at(1), losses: [loss('1 inserted')] });
    const restored = phase('r', { startedAt: at(3), finishedAt: at(4), losses: [loss('2 inserted')] });
    expect(lossesAfter([listed])).toEqual([loss('1 inserted')]);
    expect(lossesAfter([restored, listed])).toEqual([loss('2 inserted')]);
  });

  const taken = phase('a', { startedAt: at(1), finishedAt: at(1), backups: [backup('here')] });
  const proved = phase('b', {
    startedAt: at(1),
    finishedAt: at(2),
    backups: [backup('here', { verifiedAt: at(2) })],
  });
  it.each([[[taken, proved]], [[proved, taken]]])(
    'on a backup is its proof, in whichever order they are found',
    phases => {
      expect(backupsAfter(phases)).toEqual([backup('here', { verifiedAt: at(2) })]);
    },
  );

  it('on a schema counts, and what no move told of stays', () => {
    const schema = (database: string, expandedTo: string) => ({ database, expandedTo });
    const phases = [
      phase('later', { startedAt: at(2), schemas: [schema('a', '3')] }),
      phase('earlier', { startedAt: at(1), schemas: [schema('a', '2')] }),
    ];
    expect(schemasAfter([schema('b', '1'), schema('a', '1')], phases)).toEqual([
      schema('a', '3'),
      schema('b', '1'),
    ]);
  });
});

describe('the phases of a flow', () => {
  const move = { id: 'main/verify-backup:new', task: 'verify-backup', side: 'new' } as const;
  it('have the same names whenever they are asked for, short enough for a label', () => {
    const name = phaseName('flow', 's'.repeat(63), move);
    expect(phaseName('flow', 's'.repeat(63), move)).toBe(name);
    expect(name.length).toBeLessThanOrEqual(63);
    expect(phaseName('other', 's'.repeat(63), move)).not.toBe(name);
    expect(phaseName('flow', 's'.repeat(63), { ...move, id: 'back/verify-backup:new' })).not.toBe(name);
  });

  it.each([
    ['deployed', 'done'],
    ['uninstalled', 'done'],
    ['failed', 'failed'],
    ['error', 'failed'],
    ['running', 'running'],
    [undefined, 'running'],
  ] as const)('that say %s are %s', (actualState, want) => {
    expect(stateOfPhase(phase('x', actualState ? { actualState } : {}))).toBe(want);
  });

  it('are told in the order they began, what has not begun last', () => {
    const phases = [phase('c'), phase('b', { startedAt: at(2) }), phase('a', { startedAt: at(1) })];
    expect(moveStatuses(phases).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });
});
