import type { ListOptions, ObjectList, StoredObject } from '../../cluster.ts';
import { ClusterError } from '../../cluster-error.ts';
import type { KindRules } from '../kinds/kind-rules.ts';
import { badRequest } from '../objects/refusals.ts';
import { matcher } from '../select/selection.ts';
import type { KindObjects } from '../store/kind-objects.ts';
import type { ObjectTable } from '../store/object-table.ts';

/** Where a list goes on: as of which moment, after which place. */
interface Token {
  readonly version: number;
  readonly after: string;
}

/** One page of the objects of a kind. All pages of a list show one moment, that of the first. */
export function listPage(
  table: ObjectTable,
  rules: KindRules,
  objects: KindObjects,
  options: ListOptions,
): ObjectList {
  const token = options.continue ? readToken(options.continue) : undefined;
  const version = token?.version ?? table.version;
  if (version < table.compacted) {
    const advice =
      'the provided continue parameter is too old to display a consistent list result; list again without it';
    throw new ClusterError('Expired', advice);
  }
  const matches = matcher(rules, options);
  const then = version === table.version ? undefined : changedSince(objects, version);
  const limit = options.limit && options.limit > 0 ? options.limit : Number.POSITIVE_INFINITY;
  const items: StoredObject[] = [];
  let last = '';
  for (const place of placesAt(objects, then)) {
    if (token && place <= token.after) continue;
    const object = then?.has(place) ? then.get(place) : objects.get(place);
    if (!object || (matches && !matches(object))) continue;
    if (items.length >= limit) {
      return { items, resourceVersion: String(version), continue: writeToken({ version, after: last }) };
    }
    items.push(object);
    last = place;
  }
  return { items, resourceVersion: String(version) };
}

/** The state at that moment of everything that changed after it; undefined for what was not there. */
function changedSince(objects: KindObjects, version: number): Map<string, StoredObject | undefined> {
  const then = new Map<string, StoredObject | undefined>();
  const { history } = objects;
  for (let number = history.end - 1; number >= history.after(version); number--) {
    const event = history.at(number);
    if (event) then.set(event.place, event.before);
  }
  return then;
}

function placesAt(objects: KindObjects, then: ReadonlyMap<string, unknown> | undefined): readonly string[] {
  const now = objects.places();
  const gone = [...(then?.keys() ?? [])].filter(place => !objects.get(place));
  return gone.length === 0 ? now : [...now, ...gone].sort();
}

function writeToken(token: Token): string {
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

function readToken(text: string): Token {
  try {
    const token: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    const { version, after } = token as Token;
    if (Number.isInteger(version) && typeof after === 'string') return { version, after };
  } catch {
    // Not one of ours: said below.
  }
  throw badRequest('continue key is not valid');
}
