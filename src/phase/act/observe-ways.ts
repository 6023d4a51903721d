import type { WayStatus } from '../../api/phase-kinds.ts';
import { isObject, type Json } from '../../base/json.ts';
import type { TrafficReport } from '../../traffic/traffic.ts';
import { type PartRoute, routesOf } from '../object/routes.ts';
import { type SideObject, sideObjects } from '../object/side-objects.ts';
import { isController, slicesOfPart } from '../object/slices.ts';
import { type PhasePorts, type PhaseRun, sideOf } from '../phase-run.ts';

/** One way clients take to a version that serves: the slices that shall have its traffic, and what the router says of it now. */
export interface SeenWay {
  readonly way: PartRoute;
  readonly slices: readonly string[];
  readonly report: TrafficReport;
}

/** Looks at every way clients take to the side of a phase. Changes nothing. */
export async function observeWays(run: PhaseRun, ports: PhasePorts): Promise<readonly SeenWay[]> {
  const side = sideOf(run);
  return Promise.all(
    routesOf(run, side).map(async way => ({
      way,
      slices: slicesOfPart(way.part, side),
      report: await ports.traffic.observe(way.route),
    })),
  );
}

/**
 * How many addresses answer clients, way by way: of whichever version, for that is what clients notice. `before`: what an earlier pass
 * wrote down, which knows since when nobody does.
 */
export function sayWays(
  run: PhaseRun,
  seen: readonly SeenWay[],
  before: readonly WayStatus[] = [],
): readonly WayStatus[] {
  const objects = sideObjects(sideOf(run));
  const ways = seen.map(({ way, report }) => {
    const { service } = way.route;
    const ready = Object.values(report.slices)
      .filter(({ weight }) => weight > 0)
      .reduce((sum, slice) => sum + slice.ready, 0);
    const wanted = wantedPods(objects, way);
    const known = before.find(one => one.service === service);
    const since = known?.ready === 0 ? known.since : new Date(run.now).toISOString();
    return {
      ...{ service, ready },
      ...(wanted === undefined ? {} : { wanted }),
      ...(ready > 0 || since === undefined ? {} : { since }),
    };
  });
  return [...new Map(ways.map(one => [one.service, one])).values()];
}

/** The Pods that a Service of the revision selects, by the counts of their controllers; undefined where hosts decide how many there are. */
function wantedPods(objects: readonly SideObject[], { route, part }: PartRoute): number | undefined {
  const own = objects.filter(one => one.part === part);
  const service = own.find(
    ({ object }) => object.kind === 'Service' && object.metadata.name === route.service,
  );
  const { selector } = specOf(service);
  if (!isObject(selector)) return undefined;
  const behind = own.filter(one => isController(one.object as never) && isSelected(one, selector));
  if (behind.length === 0 || behind.some(({ object }) => object.kind === 'DaemonSet')) return undefined;
  return behind.reduce((sum, one) => {
    const { replicas } = specOf(one);
    return sum + (typeof replicas === 'number' ? replicas : 1);
  }, 0);
}

function isSelected(one: SideObject, selector: Readonly<Record<string, Json>>): boolean {
  const { template } = specOf(one);
  const metadata = isObject(template) && isObject(template['metadata']) ? template['metadata'] : {};
  const labels = isObject(metadata['labels']) ? metadata['labels'] : {};
  return Object.entries(selector).every(([key, value]) => labels[key] === value);
}

function specOf(one: SideObject | undefined): { [field: string]: Json } & {
  selector?: Json;
  replicas?: Json;
  template?: Json;
} {
  const spec = one?.object['spec'];
  return isObject(spec) ? { ...spec } : {};
}
