import { isObject } from '../../base/json.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import { keyOf, sideObjects } from '../object/side-objects.ts';
import { type Act, otherSideOf, sideOf } from '../phase-run.ts';
import { rolledOut } from './apply-software.ts';
import { removeObjects } from './remove-software.ts';

/**
 * Puts in place what keeps a service in order while it serves: cron jobs, budgets. What the other version left behind goes, but for
 * a version that stays beside this one for its soak, which is taken away by a move of its own.
 */
export const settleSide: Act = async (run, ports, notes) => {
  const side = sideOf(run);
  const all = sideObjects(side);
  const put = all
    .filter(({ role, phases }) => role === 'workload' && phases.includes('operational'))
    .map(one => ({ ...one, object: awake(one.object) }));
  for (const { object } of put) await ports.drivers.for(object).apply(object);
  const rolled = await rolledOut(run, ports, notes, put);
  if (rolled.kind !== 'done' || run.step.strategy === 'bluegreen' || run.step.flow === 'contract')
    return rolled;
  const stays = new Set(all.map(keyOf));
  const gone = sideObjects(otherSideOf(run)).filter(one => !stays.has(keyOf(one)));
  return removeObjects(run, ports, notes, gone);
};

/** Suspended schedules go on, unless the package itself suspends them. */
export function awake(object: ClusterObject): ClusterObject {
  if (object.kind !== 'CronJob' || !isObject(object['spec'])) return object;
  return { ...object, spec: { suspend: false, ...object['spec'] } };
}
