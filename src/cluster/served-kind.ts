import type { StructuralSchema } from '../api/schema/structural-schema.ts';
import type { JsonObject } from '../base/json.ts';

/** A kind as an API server speaks of it when it is asked what it serves: one for each version. */
export interface ServedKind {
  /** '' for the kinds of `/api/v1`. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The word in paths. */
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly isNamespaced: boolean;
  /** The status is written apart from the rest. */
  readonly hasStatus: boolean;
  /** What an object of a built-in kind is made of. */
  readonly schema?: StructuralSchema;
  /** The version of the definition that brings the kind, as it is written there; absent for a built-in one. */
  readonly definedBy?: JsonObject;
}
