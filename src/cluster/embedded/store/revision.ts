import { crc32 } from 'node:zlib';
import type { StoredObject } from '../../cluster.ts';

/** What happened to an object. */
export type Change = 'ADDED' | 'MODIFIED' | 'DELETED';

/** The numbers under which changes stand in the file. */
const changeNumbers = ['ADDED', 'MODIFIED', 'DELETED'] as const satisfies readonly Change[];

/** One version of one object: what is in the file, in the order in which it happened. */
export interface Revision {
  readonly version: number;
  /** Group and kind, `apps/Deployment`: the version of the API is not part of an object's identity. */
  readonly kind: string;
  /** Namespace and name, `default/web`; for kinds without namespaces the name after a slash. */
  readonly place: string;
  readonly change: Change;
  /** When it was written, in milliseconds since 1970. */
  readonly time: number;
  /** The object, or its last state where it was deleted. Frozen. */
  readonly object: StoredObject;
  /** How long its JSON is. */
  readonly size: number;
}

/** A revision as a row of the file. */
export type RevisionRow = readonly [
  version: number,
  kind: string,
  place: string,
  change: number,
  time: number,
  body: string,
  checksum: number,
];

/** The row of a revision with the given JSON. */
export function rowOf(revision: Revision, body: string): RevisionRow {
  const { version, kind, place, time } = revision;
  const change = changeNumbers.indexOf(revision.change);
  return [version, kind, place, change, time, body, checksumOf(version, kind, place, change, time, body)];
}

/** The revision of a row; undefined where its checksum does not fit or it makes no sense. */
export function revisionOf(row: RevisionRow): Revision | undefined {
  const [version, kind, place, number, time, body, checksum] = row;
  const change = changeNumbers[number];
  if (change === undefined || checksumOf(version, kind, place, number, time, body) !== checksum)
    return undefined;
  return { version, kind, place, change, time, object: JSON.parse(body), size: body.length };
}

function checksumOf(
  version: number,
  kind: string,
  place: string,
  change: number,
  time: number,
  body: string,
): number {
  return crc32(body, crc32(`${version} ${kind} ${place} ${change} ${time}`));
}
