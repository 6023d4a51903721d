import type { JsonObject } from '../../base/json.ts';
import { isObject } from '../../base/json.ts';
import { findObject, refOf } from '../../cluster/find-object.ts';
import { sideObjects } from '../object/side-objects.ts';
import { type Act, done } from '../phase-run.ts';

/** Cron jobs of the service rest from the moment traffic is taken until what comes is settled. */
export const suspendSchedules: Act = async (run, { cluster }) => {
  const objects = [...sideObjects(run.old), ...sideObjects(run.new)];
  for (const { object, role } of objects) {
    if (role !== 'workload' || object.kind !== 'CronJob') continue;
    const live = await findObject(cluster, refOf(object));
    if (!live || (isObject(live['spec']) && live['spec']['suspend'] === true)) continue;
    const value: JsonObject = { spec: { suspend: true } };
    await cluster.patch(refOf(object), { type: 'merge', value }, { fieldManager: 'afloat' });
  }
  return done;
};
