import { compareText } from '../base/json.ts';
import type { ResolvedService } from '../record/record.ts';
import type { ObservedState } from './observed-state.ts';

/** Keyed digests of Secrets and ConfigMaps, by `Secret/name`. */
export type Contents = ReadonlyMap<string, string>;

/** What those that records refer to hold now. */
export function contentsNow(observed: ObservedState): Contents {
  return new Map(observed.contents.map(({ kind, name, digest }) => [`${kind}/${name}`, digest]));
}

/** The Secrets and ConfigMaps a service takes values from, in name order. */
export function contentNames(service: ResolvedService): string[] {
  return [...new Set(service.valuesFrom.map(({ kind, name }) => `${kind}/${name}`))].sort(compareText);
}
