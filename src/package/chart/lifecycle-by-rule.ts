import { group } from '../../api/group.ts';
import {
  type LifecycleWritten,
  type PackageLifecycle,
  packageLifecycle,
} from '../../api/package-lifecycle.ts';
import { applyDefaults } from '../../api/schema/defaults.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { identityOf, referenceOf } from '../object-kinds.ts';
import { databaseNameOf } from './database-name.ts';
import type { PlacedObject } from './placed-object.ts';
import type { TaskUse } from './placement-rules.ts';
import { podSpecOf } from './pod-template.ts';
import { hasFloatingImage, schemaMark } from './schema-mark.ts';
import type { SlicedChart } from './slice-by-rule.ts';
import { type TrafficService, trafficServiceOf } from './traffic-service.ts';

/** In `Chart.yaml`: what its images are where there is no container engine, in JSON, as `images` of a `lifecycle.yaml`. */
export const imagesAnnotation = `${group}/images`;

/** A chart without `lifecycle.yaml`, rendered with the values it shall have. */
export interface ChartFacts {
  /** The service that it is in the record. */
  readonly service: string;
  readonly version: string;
  readonly description?: string;
  /** Annotations of `Chart.yaml`. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly placed: readonly PlacedObject[];
  readonly sliced: Pick<SlicedChart, 'strategies'>;
}

/** What a service needs to live, as far as its chart tells; with what a person should know about how that was found. */
export interface LifecycleByRule {
  readonly lifecycle: PackageLifecycle;
  readonly notes: readonly string[];
}

/**
 * Makes the lifecycle of a chart that brings none: the Service that is switched, the database and its tasks, what is kept, and the gentlest
 * strategy that remains. A migration is never taken for split: nothing in a chart says that old code survives it.
 */
export function lifecycleByRule(facts: ChartFacts): LifecycleByRule {
  const { service, version, description, placed, sliced } = facts;
  const objects = placed.map(({ chartObject }) => chartObject.object);
  const traffic = trafficServiceOf(objects);
  const notes: string[] = [];
  const data = dataOf(facts, objects, notes);
  const outside = stateOutside(placed);
  if (outside)
    notes.push(
      `${outside}: taken for state outside the database, so data is not restored once traffic is back`,
    );
  if (!traffic)
    notes.push('no Service leads to its pods: nothing can be kept from a version until it is tested');
  const written: LifecycleWritten = {
    ...{ service, version, strategy: traffic ? (sliced.strategies[0] ?? 'recreate') : 'recreate' },
    ...(description === undefined || description === '' ? {} : { description: description.slice(0, 1024) }),
    ...(traffic ? { traffic: trafficOf(traffic) } : {}),
    ...(data ? { data: [data] } : {}),
    ...(outside ? { stateOutside: true } : {}),
    keep: keepOf(placed),
    ...imagesOf(facts.annotations?.[imagesAnnotation], notes),
  };
  const filled = applyDefaults(packageLifecycle.json, written as unknown as JsonObject);
  return { lifecycle: filled as PackageLifecycle, notes };
}

function trafficOf({ service, workload, port }: TrafficService): NonNullable<LifecycleWritten['traffic']> {
  const grace = podSpecOf(workload)?.['terminationGracePeriodSeconds'];
  const isLonger = typeof grace === 'number' && grace > 30 && grace <= 86400;
  return { service: identityOf(service).name, port, ...(isLonger ? { drainSeconds: grace } : {}) };
}

type Database = NonNullable<LifecycleWritten['data']>[number];

function dataOf(
  { service, placed }: ChartFacts,
  objects: readonly JsonObject[],
  notes: string[],
): Database | undefined {
  const task = (use: TaskUse) => placed.find(one => one.use === use)?.chartObject.object;
  const sync = task('sync');
  const named = (use: Exclude<TaskUse, 'sync'>) => {
    const found = task(use);
    return found ? { [use]: referenceOf(found) } : {};
  };
  const tasks = { ...named('backup'), ...named('verify'), ...named('restore'), ...named('drop') };
  // What is named here runs only as what it is named: a restore never because of the phase it would be in.
  if (!sync && Object.keys(tasks).length === 0) return undefined;
  const name = databaseNameOf(objects) ?? service;
  if (!sync) return { name, ...tasks };
  notes.push(...migrationNotes(sync, name, task('backup') !== undefined && task('restore') !== undefined));
  return { name, head: schemaMark(sync, objects), migrate: { sync: referenceOf(sync) }, ...tasks };
}

function migrationNotes(sync: JsonObject, database: string, canGoBack: boolean): string[] {
  const { kind, name } = identityOf(sync);
  const what = `${kind} ${name}`;
  return [
    `${what} is a migration that is not split: where it changes, the service is drained, backed up, migrated and tested`,
    ...(hasFloatingImage(sync)
      ? [
          `${what} has an image that may change under its name: give it a version, or a changed migration is not seen`,
        ]
      : []),
    ...(canGoBack
      ? []
      : [
          `the chart brings no tasks to back up and restore ${database}: a changed migration is refused until \`data\` of a lifecycle.yaml names them`,
        ]),
  ];
}

/** What of the chart works on something that no backup of the database brings back; undefined where nothing does. */
function stateOutside(placed: readonly PlacedObject[]): string | undefined {
  const found = placed.find(({ chartObject: { object, file } }) => {
    const isAgent = object['kind'] === 'DaemonSet';
    return (
      isAgent || (object['kind'] === 'Job' && /(storage-init|ring-builder|cell-setup)\.ya?ml$/.test(file))
    );
  });
  if (!found) return undefined;
  const { kind, name } = identityOf(found.chartObject.object);
  return `${kind} ${name}`;
}

/** As many as `keep` can name; all others are kept as well, by their role. */
function keepOf(placed: readonly PlacedObject[]): string[] {
  const kept = placed
    .filter(({ role }) => role === 'kept')
    .map(({ chartObject }) => referenceOf(chartObject.object));
  return [...new Set(kept)]
    .filter(name => /^[a-z]+\/[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name))
    .slice(0, 64);
}

function imagesOf(text: string | undefined, notes: string[]): Pick<LifecycleWritten, 'images'> {
  if (text === undefined) return {};
  try {
    const parsed: Json = JSON.parse(text);
    if (Array.isArray(parsed) && parsed.every(isObject))
      return { images: parsed as unknown as NonNullable<LifecycleWritten['images']> };
  } catch {
    // Told below, with what is no list.
  }
  notes.push(`${imagesAnnotation} of Chart.yaml is no list in JSON`);
  return {};
}
