import { type Finding, finding, formatPath, type Place } from '../../api/finding.ts';
import type { FieldPath } from '../../api/schema/problem.ts';
import type { SecretDigest } from '../../api/service-revision.ts';
import {
  canonicalJson,
  compareText,
  isObject,
  type Json,
  type JsonObject,
  mergeJson,
  sameJson,
} from '../../base/json.ts';
import { setValue } from '../../base/set-value.ts';
import type { Cluster, StoredObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import type { ResolvedService } from '../../record/record.ts';
import type { KeyedDigest } from './digest-key.ts';
import { readEntry, type ValuesEntry } from './values-entry.ts';

/** The part of a service that says where more of its values are. */
export type ValuesFromOwner = Pick<ResolvedService, 'valuesFrom' | 'index'>;

/** Where values are read, and what they are laid on. */
export interface ValuesFromWorld {
  /** As the account of the record sees it: who writes a record must not read what that account may not. */
  readonly cluster: Cluster;
  readonly namespace: string;
  readonly digestOf: KeyedDigest;
  /** What the package and the record give. */
  readonly base: JsonObject;
}

/** The values with what Secrets and ConfigMaps give. Where there are findings they must not be used. */
export interface ResolvedValues {
  readonly values: JsonObject;
  /** Every object that went in, by name; one that is not there and need not be has none. */
  readonly digests: readonly SecretDigest[];
  readonly findings: readonly Finding[];
}

/**
 * Lays what `valuesFrom` names on the values of a service, so that rendering agrees with planning: a value with a `targetPath` was left
 * open and stands whatever a package has there; a whole map gives what was missing and may not change what the plan showed. Of two maps
 * the later wins. What the account may not read is a finding. No finding holds a value.
 */
export async function resolveValuesFrom(
  { valuesFrom, index }: ValuesFromOwner,
  { cluster, namespace, digestOf, base }: ValuesFromWorld,
): Promise<ResolvedValues> {
  const objects = await readObjects(cluster, namespace, valuesFrom).catch((error: unknown) => {
    if (!isReason(error, 'Forbidden')) throw error;
    return finding('ClusterForbidden', error.message, {
      field: formatPath(['spec', 'services', index, 'valuesFrom']),
    });
  });
  if ('code' in objects) return { values: base, digests: [], findings: [objects] };
  const placeOf = (place: number, field: keyof ValuesEntry): Place => ({
    field: formatPath(['spec', 'services', index, 'valuesFrom', place, field]),
  });
  const read = valuesFrom.map((entry, place) =>
    readEntry(entry, objects.get(nameOf(entry)), field => placeOf(place, field)),
  );
  const maps = read.flatMap(one => ('map' in one ? [one] : []));
  const gaps = maps.reduce<JsonObject>((all, { map }) => mergeJson(all, map), {});
  const filled = fillGaps(base, gaps);
  const single = read.flatMap(one => ('value' in one ? [one] : []));
  const clashes = maps.flatMap(({ map, place, from }) =>
    clashesOf(base, map, []).map(path => {
      const message = `${formatPath(path)} of ${from} is already given by the package or the record, with another value`;
      return finding('RuleBroken', message, place, clashAdvice);
    }),
  );
  return {
    values: single.reduce((all, { path, value }) => setValue(all, path, value), filled),
    digests: digestsOf(objects, digestOf),
    findings: [...read.flatMap(one => ('finding' in one ? [one.finding] : [])), ...clashes],
  };
}

const clashAdvice = 'Take it out of the map, or name it alone with `valuesKey` and `targetPath`.';

/** The keyed digest of what a Secret or ConfigMap holds: its data, in the order of keys, and nothing of its metadata. */
export function contentDigest(object: StoredObject, digestOf: KeyedDigest): string {
  return digestOf(canonicalJson({ data: object['data'] ?? {}, binaryData: object['binaryData'] ?? {} }));
}

/**
 * The keyed digests of the objects that services take values from, as planning compares them; those that are not there are left out.
 * Throws a `ClusterError` Forbidden where the account may not read one.
 */
export async function contentsNow(
  services: readonly Pick<ResolvedService, 'valuesFrom'>[],
  { cluster, namespace, digestOf }: Omit<ValuesFromWorld, 'base'>,
): Promise<readonly SecretDigest[]> {
  const entries = services.flatMap(({ valuesFrom }) => valuesFrom);
  return digestsOf(await readObjects(cluster, namespace, entries), digestOf);
}

type Objects = ReadonlyMap<string, StoredObject | undefined>;

/** Each object once, in the order of names. */
async function readObjects(
  cluster: Cluster,
  namespace: string,
  entries: readonly ValuesEntry[],
): Promise<Objects> {
  const wanted = new Map(entries.map(entry => [nameOf(entry), entry]));
  const names = [...wanted.keys()].sort(compareText);
  const found = await Promise.all(
    names.map(async key => {
      const { kind, name } = wanted.get(key) ?? { kind: 'Secret', name: key };
      try {
        return [key, await cluster.get({ apiVersion: 'v1', kind, namespace, name })] as const;
      } catch (error) {
        if (isReason(error, 'NotFound')) return [key, undefined] as const;
        throw error;
      }
    }),
  );
  return new Map(found);
}

function nameOf({ kind, name }: ValuesEntry): string {
  return `${kind}/${name}`;
}

function digestsOf(objects: Objects, digestOf: KeyedDigest): SecretDigest[] {
  return [...objects.values()].flatMap(object =>
    object
      ? [
          {
            kind: object.kind as SecretDigest['kind'],
            name: object.metadata.name,
            digest: contentDigest(object, digestOf),
          },
        ]
      : [],
  );
}

/** Null is how values.yaml says "to be given", as when a placeholder is looked up. */
function isGap(value: Json | undefined): value is null | undefined {
  return value === undefined || value === null;
}

function fillGaps(base: JsonObject, more: JsonObject): JsonObject {
  const entries = Object.entries(more).map(([key, value]) => {
    const below = Object.hasOwn(base, key) ? base[key] : undefined;
    if (isGap(below)) return [key, value] as const;
    return [key, isObject(below) && isObject(value) ? fillGaps(below, value) : below] as const;
  });
  return { ...base, ...Object.fromEntries(entries) };
}

function clashesOf(base: JsonObject, map: JsonObject, path: FieldPath): FieldPath[] {
  return Object.entries(map).flatMap(([key, value]) => {
    const below = Object.hasOwn(base, key) ? base[key] : undefined;
    if (isGap(below) || isGap(value) || sameJson(below, value)) return [];
    const here = [...path, key];
    return isObject(below) && isObject(value) ? clashesOf(below, value, here) : [here];
  });
}
