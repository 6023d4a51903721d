/** A place inside a value: keys and indexes from the top. */
export type FieldPath = readonly (string | number)[];

/** One thing wrong with a value, by its place. The codes are those of the error catalogue. */
export interface Problem {
  readonly code:
    | 'FieldUnknown'
    | 'FieldMissing'
    | 'FieldType'
    | 'FieldInvalid'
    | 'FieldDuplicate'
    | 'RuleBroken';
  readonly path: FieldPath;
  readonly message: string;
  /** The names or words that would have been right here, for "did you mean". */
  readonly candidates?: readonly string[];
  readonly written?: string;
  /** Whether an API server does not look at rules because of it: they could not be evaluated, or not within bounds. */
  readonly hidesRules?: true;
}
