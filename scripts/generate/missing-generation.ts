import { schemasDigest } from '../../src/api/definition-schema.ts';
import { schemaGenerations } from '../../src/api/schema-generations.ts';

/** What a person is to write down after a change of a schema; undefined where that is done. */
export function missingGeneration(
  digest: string = schemasDigest(),
  generations: readonly string[] = schemaGenerations,
): string | undefined {
  if (generations.at(-1) === digest) return undefined;
  return `A schema has changed. Add this line at the end of the list in src/api/schema-generations.ts, then \`make generate\`:\n  '${digest}',`;
}
