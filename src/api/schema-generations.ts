import type { Digest } from '../base/digest.ts';

/**
 * The digests of the schemas of all kinds (`schemasDigest`), in the order in which they came, the newest last. Their number is the
 * generation that definitions carry: by it a program knows whether those of a cluster are older or newer than its own.
 *
 * When a schema has changed, `make generate` and a test give the line to add. A line that was in a release stays for ever; one that was in
 * none may be replaced.
 */
export const schemaGenerations: readonly Digest[] = [
  'sha256:07cf746bcf143f13632155ead58fa5c2722041c77c1e084c63ccb18347f9378e',
];
