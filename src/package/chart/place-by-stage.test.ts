import { expect, test } from 'vitest';
import type { PhaseName } from '../../api/phase-names.ts';
import { type ChartByStage, placeByStage } from './place-by-stage.ts';

const one = (kind: string, name: string, more: object = {}, weight = 0) => ({
  object: { apiVersion: 'v1', kind, metadata: { name }, ...more },
  ...{ file: `templates/${name}.yaml`, line: 1, hooks: [], weight, deletePolicies: [] },
});
const stagesOf = (stages: Partial<Record<PhaseName, ReturnType<typeof one>[]>>): ChartByStage =>
  new Map(Object.entries(stages) as [PhaseName, ReturnType<typeof one>[]][]);
const placesOf = (stages: ChartByStage) =>
  placeByStage(stages).placed.map(({ chartObject: { object }, role, phases }) => [
    object['kind'],
    role,
    phases,
  ]);

test('what is installed is changed by upgrade and rollback, and support is wherever something runs', () => {
  const stages = stagesOf({
    install: [one('ConfigMap', 'etc'), one('Deployment', 'api')],
    test: [one('Pod', 'check')],
    upgrade: [one('Job', 'dump')],
  });
  expect(placesOf(stages)).toEqual([
    ['ConfigMap', 'support', ['install', 'test', 'upgrade', 'rollback']],
    ['Pod', 'task', ['test']],
    ['Deployment', 'workload', ['install', 'upgrade', 'rollback']],
    ['Job', 'task', ['upgrade']],
  ]);
});

test('an object that is another one in another phase is placed once for each', () => {
  const stages = stagesOf({
    install: [one('Job', 'sync', { spec: { a: 1 } }), one('Secret', 'db', { data: { a: 'x' } })],
    upgrade: [one('Job', 'sync', { spec: { a: 2 } }), one('Secret', 'db', { data: { a: 'y' } })],
    test: [one('Pod', 'check')],
  });
  expect(placesOf(stages).filter(([, role]) => role !== 'task')).toEqual([
    ['Secret', 'support', ['install', 'test']],
    ['Secret', 'support', ['upgrade']],
  ]);
});

test('weights decide the order, and what says `keep` is kept', () => {
  const kept = { ...one('Secret', 'keys'), resourcePolicy: 'keep' as const };
  const stages = stagesOf({ install: [one('Job', 'late', {}, 5), one('Job', 'soon', {}, -5), kept] });
  const { placed } = placeByStage(stages);
  expect(placed.map(({ chartObject: { object }, role, order }) => [object['metadata'], role, order])).toEqual(
    [
      [{ name: 'soon' }, 'task', 0],
      [{ name: 'keys' }, 'kept', 1],
      [{ name: 'late' }, 'task', 2],
    ],
  );
});
