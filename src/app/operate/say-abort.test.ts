import { expect, it } from 'vitest';
import type { FlowKind } from '../../api/flow-kinds.ts';
import type { PlanStep } from '../../api/lifecycle-plan.ts';
import type { Oslc } from '../../api/oslc.ts';
import { makeFlow } from '../../flow/flow.ts';
import { aPlanStep, dataStep } from '../../testing/a-plan-step.ts';
import { goesBack, sayAbort } from './say-abort.ts';

const versions = { from: { version: '1.0.0' }, to: { version: '2.0.0' } };

/** A flow whose main path has come to this move: those before are done. */
function at(
  task: string,
  kind: FlowKind,
  strategy: PlanStep['strategy'] = 'bluegreen',
  data: PlanStep['data'] = [],
): Oslc {
  const step = aPlanStep(kind, {
    ...versions,
    data,
    id: 'keystone',
    strategy,
    slices: 1,
    soakSeconds: 60,
  } as never);
  const main = makeFlow(step).paths['main']?.moves ?? [];
  const place = main.findIndex(move => move.task === task);
  expect([task, place >= 0]).toEqual([task, true]);
  const moves = main
    .slice(0, place + 1)
    .map(({ id, phase }, index) => ({ id, phase, state: index === place ? 'running' : 'done' }));
  const settled = task === 'soak' ? { settledAt: '2026-01-01T00:00:00Z' } : {};
  return {
    metadata: { name: 'flow' },
    spec: { serviceName: 'keystone', flowKind: kind, planned: { step } },
    status: { moves, ...settled },
  } as unknown as Oslc;
}

it.each<[string, Oslc, string]>([
  ['an upgrade that is checked', at('check', 'upgrade'), 'nothing was changed yet; 1.0.0 serves on.'],
  ['an upgrade under test', at('test', 'upgrade'), 'it goes back to 1.0.0.'],
  ['an upgrade that soaks', at('soak', 'upgrade'), 'traffic moves back to 1.0.0, and 2.0.0 is removed.'],
  [
    'an upgrade whose old version goes',
    at('remove', 'upgrade'),
    'it is too far for that: what it was asked to do is seen through.',
  ],
  [
    'a rollback under test',
    at('test', 'rollback'),
    '1.0.0 serves on; 2.0.0 stays as it is, for a person to look: from here nothing goes back by itself.',
  ],
  [
    'a rollback that soaks',
    at('soak', 'rollback'),
    'traffic moves back to 1.0.0; 2.0.0 stays as it is, for a person to look: from here nothing goes back by itself.',
  ],
  [
    'a rollback in place of the old version',
    at('test', 'rollback', 'recreate'),
    'no traffic is on 1.0.0 or 2.0.0, and nobody is served; 2.0.0 stays as it is, for a person to look: from here nothing goes back by itself.',
  ],
  [
    'a removal that drains',
    at('take-traffic', 'uninstall'),
    'traffic returns to 1.0.0, which was not changed.',
  ],
  [
    'a removal that removes',
    at('remove', 'uninstall'),
    'it is too far for that: what it was asked to do is seen through.',
  ],
  [
    'a removal that has not purged its data yet',
    at('clean-up', 'uninstall', 'inplace', [dataStep('purge')]),
    'it is too far for that: what it was asked to do is seen through, but its data is kept.',
  ],
  [
    'a contract that has not begun to contract',
    at('verify-backup', 'contract', 'inplace', [dataStep('contract')]),
    '1.0.0 serves on, unchanged.',
  ],
])('says where %s ends', (_, flow, want) => {
  expect(sayAbort(flow)).toBe(`keystone: ${want}`);
});

it('knows when it is too late to go back by leaving', () => {
  expect(goesBack(at('soak', 'upgrade'))).toBe(true);
  expect(goesBack(at('remove', 'upgrade'))).toBe(false);
});
