/** The key under which a pattern keeps its words for people. */
export const patternSays: unique symbol = Symbol('patternSays');

/** The key under which a rule keeps its predicate: a symbol, so that it never reaches YAML or JSON. */
export const holds: unique symbol = Symbol('holds');

/**
 * A JSON schema in the subset that a Kubernetes API server accepts in a CRD ("structural"): every level has a
 * type, no `$ref`, no unions of objects. What is in a CRD's YAML is exactly this value.
 */
export interface StructuralSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly description?: string;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: StructuralSchema;
  readonly maxProperties?: number;
  readonly items?: StructuralSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly [patternSays]?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly 'x-kubernetes-preserve-unknown-fields'?: true;
  readonly 'x-kubernetes-int-or-string'?: true;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  /** `atomic`: whoever applies a part of the map owns all of it. None of ours is; foreign and built-in kinds have such maps. */
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-validations'?: readonly Rule[];
}

/**
 * A rule that spans fields, said twice: as CEL text for an API server, and as a predicate for us. Both must give the
 * same answer; the tests run them on the same cases. A rule whose text speaks of `oldSelf` runs only on updates. A
 * rule read from somebody else's CRD has no predicate.
 */
export interface Rule {
  readonly rule: string;
  readonly message: string;
  /** Where the message points, relative to the object that carries the rule, for example `.stages`. */
  readonly fieldPath?: string;
  readonly [holds]?: (value: never, old: never) => boolean;
}
