import { ClusterError } from '../../cluster/cluster-error.ts';

/** The parameters of a request, read as an API server reads them. */
export class Query {
  readonly #words: URLSearchParams;

  constructor(words: URLSearchParams) {
    this.#words = words;
  }

  /** What is said; undefined where nothing, or the empty text. */
  text(name: string): string | undefined {
    return this.#words.get(name) || undefined;
  }

  /** Everything said under a name. */
  texts(name: string): readonly string[] {
    return this.#words.getAll(name).filter(Boolean);
  }

  /** Said, and not `false` or `0`. */
  flag(name: string): boolean {
    const said = this.#words.get(name);
    return said !== null && !['false', '0'].includes(said.toLowerCase());
  }

  /** A whole number that is not negative. Throws `BadRequest` for anything else. */
  whole(name: string): number | undefined {
    const said = this.text(name);
    if (said === undefined) return undefined;
    if (/^\d{1,15}$/.test(said)) return Number(said);
    throw new ClusterError('BadRequest', `${name}: ${JSON.stringify(said)} is no whole number`);
  }

  /** One of some words. Throws `BadRequest` for any other. */
  choice<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const said = this.text(name);
    return said === undefined ? undefined : oneOf(name, said, words);
  }
}

/** The word that was said, which must be one of those. Throws `BadRequest`. */
export function oneOf<Word extends string>(what: string, said: unknown, words: readonly Word[]): Word {
  const found = words.find(word => word === said);
  if (found !== undefined) return found;
  throw new ClusterError('BadRequest', `${what}: ${JSON.stringify(said)} is none of ${words.join(', ')}`);
}
