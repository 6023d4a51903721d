import { apiVersion } from '../../../src/api/group.ts';
import { phaseLabel, taskLabel } from '../../../src/api/labels.ts';
import { isObject, type Json } from '../../../src/base/json.ts';
import type { ObjectType, StoredObject } from '../../../src/cluster/cluster.ts';
import {
  flowType,
  phaseTypes,
  planType,
  recordType,
  revisionType,
} from '../../../src/controller/our-objects.ts';
import type { KillWorld } from './kill-world.ts';
import { namespace } from './kill-world.ts';

const types: readonly ObjectType[] = [
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'batch/v1', kind: 'Job' },
  { apiVersion: 'batch/v1', kind: 'CronJob' },
  { apiVersion: 'v1', kind: 'Service' },
  { apiVersion: 'v1', kind: 'ConfigMap' },
  { apiVersion: 'v1', kind: 'Secret' },
  ...[recordType, planType, flowType, revisionType, ...phaseTypes],
];

/** What is left in the end, one line for each thing, without times, numbers of managers and names by chance. */
export async function endPicture({ cluster, node, database }: KillWorld): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const type of types)
    for (const object of (await cluster.list(type, { namespace })).items) lines.push(sayObject(object));
  const pods = (await cluster.list({ apiVersion: 'v1', kind: 'Pod' }, { namespace })).items;
  lines.push(...pods.map(sayPod));
  const { items: events } = await cluster.list({ apiVersion: 'v1', kind: 'Event' }, { namespace });
  lines.push(
    ...events
      .filter(isOurs)
      .map(({ involvedObject, reason, message }) =>
        say('Event', [(involvedObject as { name: string }).name, reason, message]),
      ),
  );
  lines.push(...[...node.ledger.effects()].map(([effect, count]) => say('effect', [effect, count])));
  lines.push(say('database', database));
  return lines.sort();
}

function isOurs(event: StoredObject): boolean {
  return (event as { reportingComponent?: unknown })['reportingComponent'] === 'afloat';
}

function sayObject(object: StoredObject): string {
  const { kind, metadata, ...rest } = object;
  const { name, labels = {}, annotations = {}, ownerReferences = [], deletionTimestamp } = metadata;
  const isOwn = object.apiVersion === apiVersion;
  return say(`${kind} ${name}`, {
    labels,
    annotations,
    owners: ownerReferences.map(owner => `${owner.kind} ${owner.name}`),
    ...(deletionTimestamp === undefined ? {} : { deleted: true }),
    // What became of other kinds is their controllers' word, and has times and counts of attempts.
    ...(isOwn ? rest : Object.fromEntries(Object.entries(rest).filter(([field]) => field !== 'status'))),
  });
}

/** Which pods of what: their own names are by chance. */
function sayPod(pod: StoredObject): string {
  const { labels = {}, ownerReferences = [] } = pod.metadata;
  const { phase } = (pod['status'] ?? {}) as { phase?: string };
  const [owner] = ownerReferences;
  return say(`Pod of ${owner?.kind}`, [
    labels[phaseLabel] ?? '',
    labels[taskLabel] ?? owner?.name ?? '',
    phase ?? '',
  ]);
}

function say(what: string, value: unknown): string {
  return `${what} ${JSON.stringify(plain(value as Json))}`;
}

/** Fields that say when, or who did it, and not what. */
const passing: ReadonlySet<string> = new Set([
  ...['epoch', 'controller-uid', 'batch.kubernetes.io/controller-uid', 'seconds', 'requests', 'baseRequests'],
  ...['clusterIP', 'clusterIPs', 'resourceVersion', 'uid'],
]);

const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const address = /\b10\.96\.\d+\.\d+\b/g;

function plain(value: Json): Json {
  if (typeof value === 'string')
    return value
      .replace(time, '<time>')
      .replace(address, '<address>')
      .replace(/-\d{5}\b/g, '-<n>');
  if (Array.isArray(value)) return value.map((item: Json) => plain(item));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([field]) => !passing.has(field));
  return Object.fromEntries(
    kept.sort(([a], [b]) => (a < b ? -1 : 1)).map(([field, item]) => [field, plain(item)]),
  );
}
