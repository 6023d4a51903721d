import { crc32 } from 'node:zlib';
import type { StoredObject } from '../../cluster.ts';
import { readObject } from './object-text.ts';

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

/** The same as it is read: kind, place and body as bytes in one piece, and perhaps not what they should be. */
export type ReadRow = readonly [
  version: number,
  change: number,
  time: number,
  checksum: number,
  kindBytes: number | null,
  placeBytes: number | null,
  text: Uint8Array | null,
];

/** The row of a revision with the given JSON. The one of a deletion has none: the object is in the row before it. */
export function rowOf(revision: Revision, body: string): RevisionRow {
  const { version, kind, place, time } = revision;
  const change = changeNumbers.indexOf(revision.change);
  return [
    version,
    kind,
    place,
    change,
    time,
    body,
    checksumOf(`${version} ${kind} ${place} ${change} ${time}`, body),
  ];
}

/** A revision as it is read; the object is absent for a deletion. */
export type ReadRevision = Omit<Revision, 'object'> & { readonly object: StoredObject | undefined };

/** The revision of a row; undefined where its checksum does not fit or it makes no sense. */
export function revisionOf([version, number, time, checksum, kindBytes, placeBytes, text]: ReadRow):
  | ReadRevision
  | undefined {
  const change = changeNumbers[number];
  if (change === undefined || !text || kindBytes === null || placeBytes === null) return undefined;
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  const [placeAt, bodyAt] = [kindBytes, kindBytes + placeBytes];
  const [kind, place] = [bytes.toString('utf8', 0, placeAt), bytes.toString('utf8', placeAt, bodyAt)];
  const body = bytes.subarray(bodyAt);
  if (checksumOf(`${version} ${kind} ${place} ${number} ${time}`, body) !== checksum) return undefined;
  const object = change === 'DELETED' ? undefined : (readObject(body.toString(), kind) as StoredObject);
  return { version, kind, place, change, time, object, size: body.length };
}

function checksumOf(about: string, body: string | Uint8Array): number {
  // Empty bytes from libsql have no address, which zlib takes for "begin anew".
  if (body.length === 0) return crc32(about);
  // Of both together, which is the same, and one call less where both are text.
  return typeof body === 'string' ? crc32(about + body) : crc32(body, crc32(about));
}
