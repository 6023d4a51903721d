import { isObject } from '../../base/json.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';

/** What stands in the place of what must not be read. */
export const redacted = '[redacted]';

/** Names of fields whose value is nobody's business, whatever it is. */
const secretName =
  /pass(word|wd|phrase)|secret|token|credential|authorization|cookie|private[-_]?key|api[-_]?key/i;

/** Shorter ones are words that occur anywhere; longer ones are packages and manifests, which nobody prints. */
const [leastLength, mostLength] = [6, 4096];

/** More than the Secrets of a large cloud hold; the oldest are forgotten first. */
const mostValues = 10_000;

/**
 * Keeps secrets out of what is written for people: values under names that say so, the content of Secrets, and every value that
 * was read from a Secret, wherever it turns up.
 */
export class Redactor {
  readonly #known = new Set<string>();

  /** Whatever this object holds, if it is a Secret, is never shown from now on. */
  learn({ apiVersion, kind, ...object }: ClusterObject): void {
    if (apiVersion !== 'v1' || kind !== 'Secret' || !isObject(object['data'])) return;
    for (const value of Object.values(object['data'])) {
      if (typeof value !== 'string' || value.length > mostLength * 2) continue;
      this.#add(value);
      this.#add(Buffer.from(value, 'base64').toString('utf8').trim());
    }
  }

  /** The same without what must not be read. Anything JSON can say. */
  clean(value: unknown): unknown {
    if (typeof value === 'string') return this.#cleanText(value);
    if (Array.isArray(value)) return value.map(one => this.clean(one));
    if (value === null || typeof value !== 'object') return value;
    const isSecret = (value as { kind?: unknown }).kind === 'Secret';
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => {
        const hides = secretName.test(name) || (isSecret && (name === 'data' || name === 'stringData'));
        return [name, hides && one !== undefined ? redacted : this.clean(one)];
      }),
    );
  }

  #add(value: string): void {
    if (value.length < leastLength || value.length > mostLength) return;
    this.#known.delete(value);
    this.#known.add(value);
    for (const oldest of this.#known) {
      if (this.#known.size <= mostValues) return;
      this.#known.delete(oldest);
    }
  }

  #cleanText(text: string): string {
    let cleaned = text;
    for (const value of this.#known)
      if (cleaned.includes(value)) cleaned = cleaned.replaceAll(value, redacted);
    return cleaned;
  }
}
