import { type Digest, digestJson } from '../base/digest.ts';
import { isObject } from '../base/json.ts';
import { group } from './group.ts';
import { type Kind, objectSchema } from './kind.ts';
import { kinds } from './kinds.ts';
import { schemaGenerations } from './schema-generations.ts';

/** On a definition: the digest of its schema. */
export const schemaDigestAnnotation = `${group}/schema-digest`;

/** On a definition: how many generations of schemas there had been when it was made. */
export const schemaGenerationAnnotation = `${group}/schema-generation`;

/** The name of the definition of a kind. */
export function definitionName(kind: Pick<Kind, 'plural'>): string {
  return `${kind.plural}.${group}`;
}

/** What a definition says of its schema. */
export function schemaAnnotations(kind: Kind): Readonly<Record<string, string>> {
  return {
    [schemaDigestAnnotation]: schemaDigestOf(kind),
    [schemaGenerationAnnotation]: String(schemaGenerations.length),
  };
}

/** The digest of the schemas of all kinds; the last of `schemaGenerations`, or a line is missing there. */
export function schemasDigest(): Digest {
  return digestJson(kinds.map(kind => [kind.plural, schemaDigestOf(kind)]));
}

/** The generation that a definition says it is of; 0 for one that says nothing: those are older than the annotation. */
export function schemaGenerationOf(annotations: Readonly<Record<string, string>> = {}): number {
  return Number(annotations[schemaGenerationAnnotation]) || 0;
}

/**
 * How a definition that is in a cluster is to ours. By an older one the server drops fields that we write, silently. By a newer one it
 * keeps all of ours; one of our own generation that is another was made by hand, and counts as older.
 */
export function compareDefinition(
  kind: Kind,
  annotations: Readonly<Record<string, string>> = {},
): 'same' | 'older' | 'newer' {
  if (annotations[schemaDigestAnnotation] === schemaDigestOf(kind)) return 'same';
  return schemaGenerationOf(annotations) > schemaGenerations.length ? 'newer' : 'older';
}

function schemaDigestOf(kind: Kind): Digest {
  return digestJson(withoutDescriptions(objectSchema(kind)));
}

/** Words are for people: a better sentence is no other schema. A field that is called `description` is no text, and stays. */
function withoutDescriptions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, below]) => key !== 'description' || typeof below !== 'string')
      .map(([key, below]) => [key, withoutDescriptions(below)]),
  );
}
