import { managedBy, managedByLabel } from '../../api/labels.ts';
import { findObject, refOf } from '../../cluster/find-object.ts';
import { routesOf } from '../object/routes.ts';
import { sayObject } from '../object/say-object.ts';
import { keyOf, type SideObject, sideObjects } from '../object/side-objects.ts';
import { slicesOfPart } from '../object/slices.ts';
import {
  type Act,
  done,
  type Notes,
  type Outcome,
  otherSideOf,
  type PhasePorts,
  type PhaseRun,
  sideOf,
} from '../phase-run.ts';
import { removalTasks } from './listed-tasks.ts';
import { refuseServing } from './refuse-serving.ts';
import { serveAsFound } from './take-found.ts';

/**
 * Takes a side away: its objects that the other side does not have, in the reverse order of their making. What something else
 * writes (`kept`) stays, and so does data.
 */
export const removeSoftware: Act = async (run, ports, notes) => {
  const removed = await takeAway({ run, ports, notes }, () => true);
  if (removed.kind === 'done') await serveAsFound(run, ports, otherSideOf(run));
  return removed;
};

/** Takes away what runs, and leaves what tasks need that come after it. Does nothing where there are none. */
export const removeWorkloads: Act = async (run, ports, notes) => {
  if (removalTasks(run, 'after').length === 0) return done;
  return takeAway({ run, ports, notes }, ({ role }) => role === 'workload');
};

async function takeAway(
  { run, ports, notes }: { readonly run: PhaseRun; readonly ports: PhasePorts; readonly notes: Notes },
  goes: (one: SideObject) => boolean,
): Promise<Outcome> {
  const side = sideOf(run);
  const other = otherSideOf(run);
  const stays = new Set(sideObjects(other).map(keyOf));
  const going = sideObjects(side).filter(one => !stays.has(keyOf(one)) && goes(one));
  const served = new Set(other.parts.flatMap(kept => slicesOfPart(kept, other)));
  const refused = await refuseServing(run, ports, side, slice => served.has(slice));
  if (refused) return refused;
  for (const { route, part } of routesOf(run, side)) {
    for (const slice of slicesOfPart(part, side))
      if (!served.has(slice)) await ports.traffic.removePreview(route, slice);
  }
  return removeObjects(run, ports, notes, going);
}

/** Takes these objects away, as far as they are ours; waits until they, and what they started, are gone. */
export async function removeObjects(
  run: PhaseRun,
  ports: PhasePorts,
  notes: Notes,
  objects: readonly SideObject[],
): Promise<Outcome> {
  const waiting: string[] = [];
  for (const one of objects.toReversed()) {
    // Tasks belong to their phases. What somebody else writes is not ours to take; and claimed volumes hold data.
    if (one.role === 'task' || one.role === 'kept' || one.object.kind === 'PersistentVolumeClaim') continue;
    const { object } = one;
    const found = await findObject(ports.cluster, refOf(object));
    // One that is gone may have left Pods that still end.
    if (found && found.metadata.labels?.[managedByLabel] !== managedBy) continue;
    const way = routesOf(run, { parts: [one.part], slices: [] }).find(
      ({ route }) => object.kind === 'Service' && object.metadata.name === route.service,
    );
    if (way) await ports.traffic.remove(way.route);
    else if ((await ports.drivers.for(object).remove(object)) === 'going') waiting.push(sayObject(object));
  }
  for (const what of waiting) notes.progress.push({ name: `remove ${what}`, state: 'running' });
  if (waiting.length === 0) return done;
  const message = `Waits for ${[...new Set(waiting)].join(', ')} to be gone.`;
  return { kind: 'wait', reason: 'Removing', message, afterSeconds: 1 };
}
