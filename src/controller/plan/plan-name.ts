import { type Digest, shortDigest } from '../../base/digest.ts';

/** The name of a plan: of its record and digest, and how many of the same content were there before. */
export function planName(record: string, digest: Digest, before: number): string {
  return `${record.slice(0, 40)}-${shortDigest(digest)}${before > 0 ? `-${before + 1}` : ''}`;
}
