import { describe, expect, it } from 'vitest';
import type { Question } from '../api/flow-kinds.ts';
import type { PlanStep } from '../api/lifecycle-plan.ts';
import { aPlanStep, dataStep } from '../testing/a-plan-step.ts';
import { flowTranscript } from '../testing/flow-transcript.ts';
import { runFlow, type Script } from '../testing/flow-world.ts';
import { makeFlow } from './flow.ts';

interface Scenario {
  readonly step: PlanStep;
  /** Ids of the moves that fail. */
  readonly fails?: readonly string[];
  readonly answers?: Partial<Record<Question, 'yes' | 'no'>>;
  readonly world?: Partial<Script>;
}

const expand = [dataStep('expand')];
const migrate = [dataStep('migrate')];

/** The name of a scenario is the name of its file. */
const scenarios: Record<string, Scenario> = {
  'install, healthy': { step: aPlanStep('install', { data: [dataStep('create')] }) },
  'install, pre-flight refused': {
    step: aPlanStep('install', { data: [dataStep('create')] }),
    fails: ['main/check:new'],
  },
  'install, test fails, its own database is removed': {
    step: aPlanStep('install', { data: [dataStep('create')] }),
    fails: ['main/test:new'],
  },
  'install, test fails over a database that was there before, it is kept': {
    step: aPlanStep('install', { data: [dataStep('create')] }),
    fails: ['main/test:new'],
    world: { databaseWasThere: true },
  },
  'install over kept data with a whole migration, test fails, data is restored': {
    step: aPlanStep('install', { data: migrate }),
    fails: ['main/test:new'],
  },
  'install, traffic fails, withdrawn with its data': {
    step: aPlanStep('install', { data: [dataStep('create')] }),
    fails: ['main/give-traffic:new'],
  },
  'upgrade recreate with a whole migration, healthy': { step: aPlanStep('upgrade', { data: migrate }) },
  'upgrade recreate, backup cannot be verified, undone': {
    step: aPlanStep('upgrade', { data: migrate }),
    fails: ['main/verify-backup:new'],
  },
  'upgrade recreate, it cannot be stopped, undone before the backup': {
    step: aPlanStep('upgrade', { data: migrate }),
    fails: ['main/stop:old'],
  },
  'upgrade recreate of a database that runs in the service, test fails, asks before what was written beside its backup is lost':
    {
      step: aPlanStep('upgrade', { data: [{ ...dataStep('migrate'), servedHere: true }] }),
      fails: ['main/test:new'],
    },
  'upgrade recreate without a route, test fails, asks before what was written since it ran is lost': {
    step: aPlanStep('upgrade', { data: migrate, unrouted: true }),
    fails: ['main/test:new'],
    answers: { restore: 'yes' },
  },
  'upgrade recreate, drain does not finish, undone': {
    step: aPlanStep('upgrade'),
    fails: ['main/take-traffic:old'],
  },
  'upgrade recreate with a whole migration, test fails, data policy auto': {
    step: aPlanStep('upgrade', { data: migrate }),
    fails: ['main/test:new'],
  },
  'upgrade recreate with a whole migration, test fails, data policy ask, yes': {
    step: aPlanStep('upgrade', { data: migrate, rollback: { software: 'auto', data: 'ask' } }),
    fails: ['main/test:new'],
    answers: { restore: 'yes' },
  },
  'upgrade recreate with a whole migration, test fails, data policy ask, no': {
    step: aPlanStep('upgrade', { data: migrate, rollback: { software: 'auto', data: 'ask' } }),
    fails: ['main/test:new'],
    answers: { restore: 'no' },
  },
  'upgrade recreate with a whole migration, test fails, data policy never': {
    step: aPlanStep('upgrade', { data: migrate, rollback: { software: 'auto', data: 'never' } }),
    fails: ['main/test:new'],
  },
  'upgrade recreate with a whole migration, fails under traffic, asks before client writes are lost': {
    step: aPlanStep('upgrade', { data: migrate }),
    fails: ['main/give-traffic:new'],
  },
  'upgrade recreate with a whole migration, fails under traffic, state outside is unrecoverable': {
    step: aPlanStep('upgrade', { data: migrate, stateOutside: 'unrecoverable' }),
    fails: ['main/give-traffic:new'],
    answers: { restore: 'yes' },
  },
  'upgrade recreate with a whole migration, fails under traffic, restored and reconciled': {
    step: aPlanStep('upgrade', { data: migrate, stateOutside: 'reconcile' }),
    fails: ['main/give-traffic:new'],
    answers: { restore: 'yes' },
  },
  'upgrade recreate, test fails, test fails after rollback too, irreconcilable': {
    step: aPlanStep('upgrade', { data: migrate }),
    fails: ['main/test:new', 'back/test:old'],
  },
  'upgrade recreate, test fails, software policy ask, yes': {
    step: aPlanStep('upgrade', { rollback: { software: 'ask', data: 'auto' } }),
    fails: ['main/test:new'],
    answers: { rollback: 'yes' },
  },
  'upgrade recreate, test fails, software policy hold': {
    step: aPlanStep('upgrade', { rollback: { software: 'hold', data: 'auto' } }),
    fails: ['main/test:new'],
  },
  'upgrade bluegreen with expand, healthy': {
    step: aPlanStep('upgrade', { strategy: 'bluegreen', data: expand }),
  },
  'upgrade bluegreen, rows move once the new version serves': {
    step: aPlanStep('upgrade', { strategy: 'bluegreen', data: [{ ...dataStep('expand'), movesRows: true }] }),
  },
  'upgrade rolling, moving rows fails, the new version goes on serving': {
    step: aPlanStep('upgrade', { strategy: 'rolling', data: [{ ...dataStep('expand'), movesRows: true }] }),
    fails: ['main/move-rows:new'],
  },
  'upgrade bluegreen with expand, test fails, old never stopped': {
    step: aPlanStep('upgrade', { strategy: 'bluegreen', data: expand }),
    fails: ['main/test:new'],
  },
  'upgrade bluegreen with expand, expand fails half way, stays on the old version': {
    step: aPlanStep('upgrade', { strategy: 'bluegreen', data: expand }),
    fails: ['main/expand:new'],
  },
  'upgrade bluegreen, errors during soak, traffic returns by itself': {
    step: aPlanStep('upgrade', { strategy: 'bluegreen', data: expand }),
    fails: ['main/soak:new'],
  },
  'upgrade bluegreen, errors during soak, software policy ask, traffic returns before the question': {
    step: aPlanStep('upgrade', { strategy: 'bluegreen', rollback: { software: 'ask', data: 'auto' } }),
    fails: ['main/soak:new'],
  },
  'upgrade rolling over three slices, healthy': {
    step: aPlanStep('upgrade', { strategy: 'rolling', slices: 3, data: expand }),
  },
  'upgrade rolling, test of the second slice fails, walked back': {
    step: aPlanStep('upgrade', { strategy: 'rolling', slices: 3, data: expand }),
    fails: ['main/test:new#2'],
  },
  'upgrade rolling, traffic of the third slice fails, software policy hold': {
    step: aPlanStep('upgrade', {
      strategy: 'rolling',
      slices: 3,
      rollback: { software: 'hold', data: 'auto' },
    }),
    fails: ['main/give-traffic:new#3'],
  },
  'reconfigure bluegreen, healthy': { step: aPlanStep('reconfigure', { strategy: 'bluegreen' }) },
  'reconfigure in place, healthy': { step: aPlanStep('reconfigure', { strategy: 'inplace' }) },
  'reconfigure in place, fails and is set back': {
    step: aPlanStep('reconfigure', { strategy: 'inplace' }),
    fails: ['main/adjust:new'],
  },
  'rollback on request, bluegreen': { step: aPlanStep('rollback', { strategy: 'bluegreen' }) },
  'rollback on request, bluegreen, test fails, traffic stays': {
    step: aPlanStep('rollback', { strategy: 'bluegreen' }),
    fails: ['main/test:new'],
  },
  'rollback on request with restore, asked before anything is touched': {
    step: aPlanStep('rollback', { data: [dataStep('restore')] }),
    world: { clientsWroteBefore: true },
  },
  'rollback on request with restore, consent given': {
    step: aPlanStep('rollback', { data: [dataStep('restore')] }),
    answers: { restore: 'yes' },
    world: { clientsWroteBefore: true },
  },
  'uninstall, data kept': { step: aPlanStep('uninstall', { data: [dataStep('keep')] }) },
  'uninstall, clean-up fails, asks whether it goes without': {
    step: aPlanStep('uninstall', { data: [dataStep('purge')] }),
    fails: ['main/clean-up:old'],
  },
  'uninstall, clean-up fails, goes without on a yes, data kept on a no': {
    step: aPlanStep('uninstall', { data: [dataStep('purge')] }),
    fails: ['main/clean-up:old'],
    answers: { unclean: 'yes', purge: 'no' },
  },
  'uninstall, clean-up fails, kept on a no': {
    step: aPlanStep('uninstall', { data: [dataStep('purge')] }),
    fails: ['main/clean-up:old'],
    answers: { unclean: 'no' },
  },
  'rollback on request with restore, a no before anything is touched changes nothing': {
    step: aPlanStep('rollback', { data: [dataStep('restore')] }),
    answers: { restore: 'no' },
    world: { clientsWroteBefore: true },
  },
  'uninstall with purge, consent given': {
    step: aPlanStep('uninstall', { data: [dataStep('purge')] }),
    answers: { purge: 'yes' },
  },
  'uninstall with purge, consent refused, data kept': {
    step: aPlanStep('uninstall', { data: [dataStep('purge')] }),
    answers: { purge: 'no' },
  },
  'contract, approved': {
    step: aPlanStep('contract', { data: [dataStep('contract')] }),
    answers: { contract: 'yes' },
  },
  'contract, not yet approved': { step: aPlanStep('contract', { data: [dataStep('contract')] }) },
  'contract, refused while the old lives': {
    step: aPlanStep('contract', { data: [dataStep('contract')] }),
    answers: { contract: 'yes' },
    world: { oldProcesses: true },
  },
};

describe('flows as people read them', () => {
  it.each(Object.entries(scenarios))('%s', async (name, { step, fails = [], answers = {}, world = {} }) => {
    const flow = makeFlow(step);
    const met = new Set<string>();
    const run = runFlow(flow, {
      fails: move => fails.includes(move.id) && met.add(move.id).has(move.id),
      answer: question => answers[question],
      ...world,
    });
    expect([...met]).toEqual(fails);
    await expect(flowTranscript(flow, run)).toMatchFileSnapshot(`testdata/${name}.golden`);
  });
});
