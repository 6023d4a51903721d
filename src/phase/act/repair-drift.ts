import { digestJson } from '../../base/digest.ts';
import { isObject, sameJson } from '../../base/json.ts';
import type { Cluster, ClusterObject, StoredObject } from '../../cluster/cluster.ts';
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
export async function repairDrift(
  run: PhaseRun,
  ports: PhasePorts,
  /** Where it is looked first: what is as wanted there is not asked for. The cluster itself unless told. */
  near: Cluster = ports.cluster,
): Promise<readonly string[]> {
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
    const ref = refOf(wanted.object);
    const isFine = (live: StoredObject | undefined) =>
      live !== undefined &&
      (live.metadata.deletionTimestamp !== undefined ||
        isAsWanted(live, wanted.object) ||
        isKnownAsSame(live, wanted.object));
    const seenNear = await findObject(near, ref);
    if (isFine(seenNear)) continue;
    const live = near === ports.cluster ? seenNear : await findObject(ports.cluster, ref);
    if (isFine(live)) continue;
    await putObject(run, ports, wanted);
    const after = await findObject(ports.cluster, ref);
    // What a server writes in its own way (quantities, say) is no drift: applying it changed nothing.
    if (live && after && contentOf(after) === contentOf(live)) knowAsSame(live, wanted.object);
    else repaired.push(sayObject(wanted.object));
  }
  return repaired;
}

/**
 * What a server made of what was wanted, by uid: applying it again would change nothing either. It is only spared requests; who does not
 * know it applies once more.
 */
const known = new Map<string, { readonly content: string; readonly wanted: string }>();
const mostKnown = 10_000;

function isKnownAsSame(live: StoredObject, wanted: ClusterObject): boolean {
  const same = known.get(live.metadata.uid);
  return same?.content === contentOf(live) && same.wanted === digestJson(wanted as never);
}

function knowAsSame(live: StoredObject, wanted: ClusterObject): void {
  known.set(live.metadata.uid, { content: contentOf(live), wanted: digestJson(wanted as never) });
  if (known.size > mostKnown) known.delete(known.keys().next().value ?? '');
}

/** What of an object can drift: not its status, which changes all the time, nor what a server counts. */
function contentOf({ metadata, status: _status, ...rest }: StoredObject): string {
  const { labels = {}, annotations = {} } = metadata;
  return digestJson({ ...rest, labels, annotations } as never);
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
