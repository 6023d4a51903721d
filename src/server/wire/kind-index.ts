import type { ServedKind } from '../../cluster/served-kind.ts';

/** Kinds by the words of a path. Looks at the list again only where it is another list. */
export class KindIndex {
  readonly #list: () => readonly ServedKind[];
  #seen: readonly ServedKind[] = [];
  #byPath = new Map<string, ServedKind>();

  constructor(list: () => readonly ServedKind[]) {
    this.#list = list;
  }

  all(): readonly ServedKind[] {
    return this.#list();
  }

  /** Undefined where nothing serves it now. */
  find({ group, version, plural }: Pick<ServedKind, 'group' | 'version' | 'plural'>): ServedKind | undefined {
    const list = this.#list();
    if (list !== this.#seen) {
      // Of two with one path the first holds: what is built in is not replaced by a definition.
      this.#byPath = new Map([...list].reverse().map(kind => [pathOf(kind), kind]));
      this.#seen = list;
    }
    return this.#byPath.get(pathOf({ group, version, plural }));
  }
}

function pathOf({ group, version, plural }: Pick<ServedKind, 'group' | 'version' | 'plural'>): string {
  return `${group}/${version}/${plural}`;
}

/** What a manifest of the kind says in `apiVersion`. */
export function apiVersionOf({ group, version }: Pick<ServedKind, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}
