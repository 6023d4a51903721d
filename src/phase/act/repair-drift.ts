import { isObject, sameJson } from '../../base/json.ts';
import type { ClusterObject, StoredObject } from '../../cluster/cluster.ts';
import { findObject, refOf } from '../../cluster/find-object.ts';
import { sayObject } from '../object/say-object.ts';
import { keyOf, sideObjects } from '../object/side-objects.ts';
import type { PhasePorts, PhaseRun } from '../phase-run.ts';
import { sideOf } from '../phase-run.ts';
import { putObject } from './apply-software.ts';
import { awake } from './settle-side.ts';

/**
 * Brings what somebody else changed or took away back to what the revision says, and returns what that was. What belongs to no revision
 * (`kept`) and tasks are not looked at; nor are fields that the revision says nothing of.
 */
export async function repairDrift(run: PhaseRun, ports: PhasePorts): Promise<readonly string[]> {
  const side = sideOf(run);
  const objects = sideObjects(side).filter(
    ({ role, phases }) =>
      role === 'support' ||
      (role === 'workload' &&
        ['install', 'operational', 'trafficrollout'].some(phase => phases.includes(phase as never))),
  );
  const repaired: string[] = [];
  const seen = new Set<string>();
  for (const one of objects) {
    if (seen.has(keyOf(one))) continue;
    seen.add(keyOf(one));
    const wanted = { ...one, object: awake(one.object) };
    const live = await findObject(ports.cluster, refOf(wanted.object));
    if (live?.metadata.deletionTimestamp !== undefined) continue;
    if (live && isAsWanted(live, wanted.object)) continue;
    await putObject(run, ports, wanted);
    const after = await findObject(ports.cluster, refOf(wanted.object));
    // What a server writes in its own way (quantities, say) is no drift: applying it changed nothing.
    if (after?.metadata.resourceVersion !== live?.metadata.resourceVersion)
      repaired.push(sayObject(wanted.object));
  }
  return repaired;
}

/** Whether everything the revision says is so. A Service's selector is the router's, who puts a slice into it. */
function isAsWanted(live: StoredObject, wanted: ClusterObject): boolean {
  const { metadata, apiVersion: _apiVersion, kind, ...rest } = wanted;
  const labels = isWithin(live.metadata.labels ?? {}, metadata.labels ?? {});
  const fields = Object.entries(rest).filter(([field]) => field !== 'status' && field !== 'stringData');
  const asked = kind === 'Service' ? withoutSelector(fields) : fields;
  return labels && asked.every(([field, value]) => isWithin(live[field], value));
}

function withoutSelector(fields: readonly (readonly [string, unknown])[]): (readonly [string, unknown])[] {
  return fields.map(([field, value]) => {
    if (field !== 'spec' || !isObject(value)) return [field, value] as const;
    const { selector: _selector, ...rest } = value;
    return [field, rest] as const;
  });
}

/** Whether all of `part` is in `whole`: maps field by field, lists item by item, everything else the same. */
function isWithin(whole: unknown, part: unknown): boolean {
  if (isObject(part))
    return isObject(whole) && Object.entries(part).every(([key, value]) => isWithin(whole[key], value));
  if (Array.isArray(part))
    return (
      Array.isArray(whole) &&
      whole.length === part.length &&
      part.every((item, index) => isWithin(whole[index], item))
    );
  return sameJson(whole, part);
}
