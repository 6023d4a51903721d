import { type Finding, finding } from '../api/finding.ts';
import { didYouMean } from '../base/did-you-mean.ts';
import { type Draft, type DraftText, objectsAt, textOf, textsAt } from './draft.ts';
import type { Manifest } from './parse-yaml.ts';
import { placeOf } from './place-of.ts';

/**
 * Names that stand for nothing in the record: in `dependsOn`, in the services and host groups of stages. Whether
 * dependencies go round in a circle is seen when the plan is made, because packages have dependencies too.
 */
export function checkReferences({ manifest, spec, services }: Draft): Finding[] {
  const names = namesOf(services.map(({ object }) => textOf(object, 'name')));
  const removed = namesOf(objectsAt(spec, ['spec'], 'removed').map(({ object }) => textOf(object, 'name')));
  const components = services.flatMap(({ object, path }) => objectsAt(object, path, 'components'));
  const hostGroups = components.flatMap(({ object, path }) => objectsAt(object, path, 'hostGroups'));
  const stages = objectsAt(spec, ['spec'], 'stages');

  const needed = new NameCheck(manifest, 'service', names, removed);
  const staged = new NameCheck(manifest, 'service', new Set([...names, ...removed]));
  const grouped = new NameCheck(
    manifest,
    'host group',
    namesOf(hostGroups.map(({ object }) => textOf(object, 'name'))),
  );
  return [
    ...services.flatMap(({ object, path }) => needed.check(textsAt(object, path, 'dependsOn'))),
    ...stages.flatMap(({ object, path }) => staged.check(textsAt(object, path, 'services'))),
    ...stages.flatMap(({ object, path }) => grouped.check(textsAt(object, path, 'hostGroups'))),
  ];
}

/** What is in two stages: it would be changed twice, or nobody knows when. */
export function checkStages({ manifest, spec }: Draft): Finding[] {
  const stages = objectsAt(spec, ['spec'], 'stages');
  return ['services', 'hostGroups', 'tiers'].flatMap(field => {
    const stageOf = new Map<string, string>();
    return stages.flatMap(({ object, path }) =>
      textsAt(object, path, field).flatMap(({ text, path: at }) => {
        const stage = textOf(object, 'name') ?? '';
        const first = stageOf.get(text);
        if (first === undefined) stageOf.set(text, stage);
        if (first === undefined || first === stage) return []; // twice in one stage is a finding of the schema
        const message = `${text} is in two stages, "${first}" and "${stage}"`;
        return [finding('FieldDuplicate', message, placeOf(manifest, at), 'Leave it in one of the two.')];
      }),
    );
  });
}

function namesOf(names: readonly (string | undefined)[]): Set<string> {
  return new Set(names.filter(name => name !== undefined));
}

/** More suggestions than that help nobody, and each costs a look at every name. */
const maxSuggestions = 200;

class NameCheck {
  readonly #manifest: Manifest;
  readonly #what: string;
  readonly #known: ReadonlySet<string>;
  readonly #removed: ReadonlySet<string>;
  readonly #suggestions = new Map<string, string | undefined>();

  constructor(
    manifest: Manifest,
    what: string,
    known: ReadonlySet<string>,
    removed: ReadonlySet<string> = new Set(),
  ) {
    this.#manifest = manifest;
    this.#what = what;
    this.#known = known;
    this.#removed = removed;
  }

  check(written: readonly DraftText[]): Finding[] {
    return written
      .filter(({ text }) => !this.#known.has(text))
      .map(({ text, path }) => {
        const place = placeOf(this.#manifest, path);
        if (this.#removed.has(text)) {
          const advice = `Take ${text} out of one of the two.`;
          return finding('ReferenceUnknown', `${text} is needed here and yet in \`removed\``, place, advice);
        }
        const near = this.#suggest(text);
        const advice = near ? `Did you mean \`${near}\`?` : undefined;
        return finding(
          'ReferenceUnknown',
          `there is no ${this.#what} "${text}" in the record`,
          place,
          advice,
        );
      });
  }

  #suggest(text: string): string | undefined {
    if (!this.#suggestions.has(text) && this.#suggestions.size < maxSuggestions) {
      this.#suggestions.set(text, didYouMean(text, this.#known));
    }
    return this.#suggestions.get(text);
  }
}
