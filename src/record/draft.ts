import type { FieldPath } from '../api/schema/problem.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import type { Manifest } from './parse-yaml.ts';

/**
 * A record on its way to be resolved: its spec has its defaults, but any field may still be of the wrong type. The
 * checks that span fields read it leniently, so that one wrong field does not hide what is wrong elsewhere.
 */
export interface Draft {
  readonly manifest: Manifest;
  readonly spec: JsonObject;
  readonly services: readonly DraftItem[];
}

/** An object of a list and its place in the manifest. */
export interface DraftItem {
  readonly path: FieldPath;
  readonly object: JsonObject;
}

/** A text of a list and its place in the manifest. */
export interface DraftText {
  readonly path: FieldPath;
  readonly text: string;
}

/** The draft of a record's manifest. */
export function draftOf(manifest: Manifest, spec: unknown): Draft {
  const object = isObject(spec) ? spec : {};
  return { manifest, spec: object, services: objectsAt(object, ['spec'], 'services') };
}

/** The objects of the list `field` below `path`; whatever else is in there is a finding of the schema. */
export function objectsAt(parent: JsonObject, path: FieldPath, field: string): DraftItem[] {
  return listAt(parent, field).flatMap((item, index) =>
    isObject(item) ? [{ path: [...path, field, index], object: item }] : [],
  );
}

/** The texts of the list `field` below `path`. */
export function textsAt(parent: JsonObject, path: FieldPath, field: string): DraftText[] {
  return listAt(parent, field).flatMap((item, index) =>
    typeof item === 'string' ? [{ path: [...path, field, index], text: item }] : [],
  );
}

/** The text of a field, if it is one. */
export function textOf(parent: JsonObject, field: string): string | undefined {
  const value = parent[field];
  return typeof value === 'string' ? value : undefined;
}

/** What is at a path; undefined when nothing is. */
export function valueAt(value: Json | undefined, path: FieldPath): Json | undefined {
  let at = value;
  for (const step of path) {
    if (Array.isArray(at)) at = typeof step === 'number' ? at[step] : undefined;
    else at = isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  }
  return at;
}

function listAt(parent: JsonObject, field: string): readonly Json[] {
  const value = parent[field];
  return Array.isArray(value) ? value : [];
}
