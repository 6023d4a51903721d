import { keyOf, sideObjects } from '../object/side-objects.ts';
import { type Act, otherSideOf, sideOf } from '../phase-run.ts';
import { isSoftware, putObject, rolledOut } from './apply-software.ts';
import { putSupport } from './put-support.ts';
import { removeObjects } from './remove-software.ts';

/** Changes in place what no pod has to be replaced for, such as a replica count. Nothing is stopped. */
export const adjustSoftware: Act = async (run, ports, notes) => {
  const side = sideOf(run);
  const support = await putSupport('all')(run, ports, notes);
  if (support.kind !== 'done') return support;
  const all = sideObjects(side);
  const objects = all.filter(one => isSoftware(one, run) || one.phases.includes('operational'));
  const put = objects.filter(({ role }) => role === 'workload');
  for (const one of put) await putObject(run, ports, one);
  const rolled = await rolledOut(run, ports, notes, put);
  if (rolled.kind !== 'done') return rolled;
  const stays = new Set(all.map(keyOf));
  const gone = sideObjects(otherSideOf(run)).filter(one => !stays.has(keyOf(one)));
  return removeObjects(run, ports, notes, gone);
};
