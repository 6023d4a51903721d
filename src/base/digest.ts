import { createHash } from 'node:crypto';
import { canonicalJson } from './json.ts';

/** `sha256:` and 64 hexadecimal digits. */
export type Digest = string;

/** The digest of bytes, or of text as UTF-8. */
export function digestBytes(bytes: Uint8Array | string): Digest {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** The digest of a JSON value; the order of keys does not matter. */
export function digestJson(value: unknown): Digest {
  return digestBytes(canonicalJson(value));
}

/** The first twelve digits, for people; never compare by it. */
export function shortDigest(digest: Digest): string {
  return digest.replace(/^sha256:/, '').slice(0, 12);
}
