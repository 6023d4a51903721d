import { describe, expect, it } from 'vitest';
import { phaseNames } from '../api/phase-names.ts';
import { aPlanStep, dataStep } from '../testing/a-plan-step.ts';
import { everyFlow } from '../testing/every-flow.ts';
import { ends } from './ends.ts';
import { type Flow, makeFlow, waysOf } from './flow.ts';
import type { Move, Way } from './move.ts';

const flows = everyFlow();

/** Every way out of every move and path of a flow. */
function allWaysOf(flow: Flow): Way[] {
  return Object.values(flow.paths).flatMap(waysOf);
}

function movesOf(flow: Flow): Move[] {
  return Object.values(flow.paths).flatMap(path => path.moves);
}

describe('every flow, whatever its kind, strategy, data and policy', () => {
  it('leads only to paths it has and to ends that are known', () => {
    for (const { name, flow } of flows) {
      for (const way of allWaysOf(flow)) {
        if ('path' in way) expect(Object.keys(flow.paths), name).toContain(way.path);
        else expect(Object.keys(ends), name).toContain(way.end);
      }
    }
  });

  it('gives each move an id of its own and a real phase', () => {
    for (const { name, flow } of flows) {
      const ids = movesOf(flow).map(move => move.id);
      expect(new Set(ids).size, name).toBe(ids.length);
      for (const move of movesOf(flow)) expect(phaseNames, name).toContain(move.phase);
    }
  });

  it('has no path that nothing leads to', () => {
    for (const { name, flow } of flows) {
      const reached = new Set(['main', ...allWaysOf(flow).flatMap(way => ('path' in way ? [way.path] : []))]);
      expect(new Set(Object.keys(flow.paths)), name).toEqual(reached);
    }
  });
});

describe('what a flow leaves out', () => {
  const tasks = (flow: Flow) => movesOf(flow).map(move => move.task);

  it('takes no backup where no data changes', () => {
    expect(tasks(makeFlow(aPlanStep('reconfigure', { strategy: 'bluegreen' })))).not.toContain('back-up');
  });

  it('restores nothing on the way back from a split migration', () => {
    const flow = makeFlow(aPlanStep('upgrade', { strategy: 'recreate', data: [dataStep('expand')] }));
    expect(tasks(flow)).not.toContain('restore');
  });

  it('touches no traffic when only a replica count changes', () => {
    expect(tasks(makeFlow(aPlanStep('reconfigure', { strategy: 'inplace' })))).toEqual(['adjust', 'adjust']);
  });

  it('never contracts in an upgrade', () => {
    for (const { flow } of flows) if (flow.kind !== 'contract') expect(tasks(flow)).not.toContain('contract');
  });

  it('never purges in anything but an uninstall', () => {
    for (const { flow } of flows)
      if (flow.kind !== 'uninstall') expect(tasks(flow)).not.toContain('purge-data');
  });
});
