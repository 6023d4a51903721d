import type { ObjectType, StoredObject } from '../../cluster.ts';
import { ClusterError } from '../../cluster-error.ts';
import type { ServedKind } from '../../served-kind.ts';
import type { KindObjects } from '../store/kind-objects.ts';
import { builtinKinds } from './builtin-kinds.ts';
import { customKinds, storeKindOfDefinition } from './custom-kinds.ts';
import { apiVersionOf, type KindRules, storeKindOf } from './kind-rules.ts';
import { servedBuiltin, servedCustom } from './served-kinds.ts';

/** Under which kind the definitions of other kinds are kept. */
export const crdStoreKind = 'apiextensions.k8s.io/CustomResourceDefinition';

const builtin = new Map(builtinKinds.map(rules => [keyOf(apiVersionOf(rules), rules.kind), rules]));
const builtinServed = builtinKinds.map(servedBuiltin);
const builtinByStoreKind = new Map(builtinKinds.map(rules => [storeKindOf(rules), rules]));

/** Which kinds there are: the built-in ones, and those of the definitions that are in the store at the moment. */
export class KindRegistry {
  readonly #definitions: KindObjects;
  /** What was made of each definition, by the object itself: a changed definition is another object. */
  readonly #made = new WeakMap<StoredObject, readonly KindRules[]>();
  #custom = new Map<string, KindRules>();
  #seen = -1;
  #served: { readonly at: number; readonly kinds: readonly ServedKind[] } | undefined;
  #last: { apiVersion?: string; kind?: string; rules?: KindRules } = {};

  constructor(definitions: KindObjects) {
    this.#definitions = definitions;
  }

  /** What is to be known of a kind. Throws `NotFound` in the words of a server that does not serve it. */
  rulesOf({ apiVersion, kind }: ObjectType): KindRules {
    // Mostly the same as the time before.
    const { rules: last } = this.#last;
    const isLast = this.#last.apiVersion === apiVersion && this.#last.kind === kind;
    if (last && isLast && this.#seen === this.#definitions.changes) return last;
    const rules = this.#find(keyOf(apiVersion, kind));
    if (!rules)
      throw new ClusterError(
        'NotFound',
        `the server could not find the requested resource (${kind} of ${apiVersion})`,
      );
    this.#last = { apiVersion, kind, rules };
    return rules;
  }

  /**
   * The rules for what is in the store under a kind, whatever version it was written in: a definition may have ceased to serve
   * that one. Undefined where nothing serves the kind.
   */
  rulesOfStored(storeKind: string): KindRules | undefined {
    const builtinRules = builtinByStoreKind.get(storeKind);
    if (builtinRules) return builtinRules;
    for (const definition of this.#definitions.values()) {
      if (storeKindOfDefinition(definition) === storeKind) return customKinds(definition, () => true)[0];
    }
    return undefined;
  }

  /** Every kind in every version that is served now; the same list as long as no definition changes. */
  served(): readonly ServedKind[] {
    const at = this.#definitions.changes;
    if (this.#served?.at === at) return this.#served.kinds;
    const custom = [...this.#definitions.values()].flatMap(definition =>
      this.kindsOf(definition).map(rules => servedCustom(rules, definition)),
    );
    this.#served = { at, kinds: [...builtinServed, ...custom] };
    return this.#served.kinds;
  }

  #find(key: string): KindRules | undefined {
    const custom = this.#customByKey();
    return builtin.get(key) ?? custom.get(key);
  }

  /** The kinds that one definition brings. */
  kindsOf(definition: StoredObject): readonly KindRules[] {
    const made = this.#made.get(definition) ?? customKinds(definition);
    this.#made.set(definition, made);
    return made;
  }

  #customByKey(): Map<string, KindRules> {
    if (this.#seen === this.#definitions.changes) return this.#custom;
    this.#seen = this.#definitions.changes;
    this.#custom = new Map(
      [...this.#definitions.values()]
        .flatMap(one => this.kindsOf(one))
        .map(rules => [keyOf(apiVersionOf(rules), rules.kind), rules]),
    );
    return this.#custom;
  }
}

function keyOf(apiVersion: string, kind: string): string {
  return `${apiVersion}/${kind}`;
}
