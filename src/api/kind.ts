import { apiVersion } from './group.ts';
import type { Schema, ValueOf, WrittenAs } from './schema/schema.ts';
import type { StructuralSchema } from './schema/structural-schema.ts';

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'date';
  readonly jsonPath: string;
  readonly description: string;
  /** 0 is always shown, 1 only with `-o wide`. */
  readonly priority?: 0 | 1;
}

/** When an object was made, as the last column of every kind that people list by time. */
export const ageColumn: PrinterColumn = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
  description: 'Since when it is there',
};

/**
 * One kind of the group: the only source of its type, its validation, its CRD and its reference page. All our kinds
 * are namespaced and have the status subresource.
 */
export interface Kind<Spec = unknown, SpecWritten = Spec, Status = unknown> {
  readonly kind: string;
  readonly plural: string;
  readonly shortName: string;
  readonly description: string;
  readonly columns: readonly PrinterColumn[];
  readonly spec: Schema<Spec, SpecWritten>;
  readonly status: Schema<Status>;
}

/** An object of a kind, after validation and defaulting. */
export interface KindObject<Spec, Status> {
  readonly apiVersion: typeof apiVersion;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec: Spec;
  readonly status?: Status;
}

/** What we read of an object's metadata. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly generation?: number;
}

/** The object type of a kind. */
export type ObjectOf<K> =
  K extends Kind<infer Spec, infer _Written, infer Status> ? KindObject<Spec, Status> : never;

/** The spec of a kind as a person may write it. */
export type SpecWritten<K> = K extends { readonly spec: infer S } ? WrittenAs<S> : never;

/** The spec of a kind after defaulting. */
export type SpecOf<K> = K extends { readonly spec: infer S } ? ValueOf<S> : never;

/** The schema of a whole object, as it stands in the CRD. The metadata is the API server's own business. */
export function objectSchema(kind: Kind): StructuralSchema {
  return {
    type: 'object',
    description: kind.description,
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string', description: `Always \`${apiVersion}\`.` },
      kind: { type: 'string', description: `Always \`${kind.kind}\`.` },
      metadata: { type: 'object' },
      spec: kind.spec.json,
      status: kind.status.json,
    },
  };
}
