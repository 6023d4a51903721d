import { type Finding, finding } from '../api/finding.ts';
import type { PartTarget, ServiceTarget } from '../package/package.ts';
import type { ResolvedRecord, ResolvedService } from '../record/record.ts';
import { type Contents, contentNames } from './contents.ts';
import { differenceOf } from './object-changes.ts';
import type { ObservedPart, ObservedService } from './observed-state.ts';
import { placeOf } from './place.ts';
import { moveBetween } from './version-facts.ts';
import { type PartWish, partName } from './wish.ts';

/** One service that the record names, with all that decides what its parts need. */
export interface PartContext {
  readonly record: ResolvedRecord;
  readonly wanted: ResolvedService;
  readonly target: ServiceTarget;
  readonly running: ObservedService | undefined;
  readonly contents: Contents;
}

/** What the parts of a service need, in the order they are changed. */
export interface PartWishes {
  readonly parts: readonly PartWish[];
  readonly notes: readonly string[];
  readonly findings: readonly Finding[];
}

/** What one part needs; nothing where it is as it shall be. */
type PartAnswer = PartWish | { readonly note: string } | { readonly finding: Finding } | undefined;

/** Compares each part of a service with what runs of it: its version first, then every object. */
export function partWishes(context: PartContext): PartWishes {
  const { target, running } = context;
  const present = running && running.state !== 'Absent' ? running.parts : [];
  const contents = present.length > 0 ? contentsThatChanged(context) : { changed: [], notes: [] };
  const answers = target.parts.map(part =>
    partWish(
      context,
      part,
      present.find(before => samePart(before, part)),
      contents.changed,
    ),
  );
  const wishes = answers.filter(answer => answer !== undefined && 'flow' in answer);
  const gone = present.filter(before => !target.parts.some(part => samePart(before, part)));
  const backwards = wishes.every(wish => wish.flow === 'rollback');
  return {
    // Up from the ground, down from the top; what is no longer wanted goes when its successors are there.
    parts: [
      ...(backwards ? wishes.toReversed() : wishes),
      ...gone.map(before => removedPart(target, before)).reverse(),
    ],
    notes: [
      ...contents.notes,
      ...answers.flatMap(answer => (answer && 'note' in answer ? [answer.note] : [])),
    ],
    findings: answers.flatMap(answer => (answer && 'finding' in answer ? [answer.finding] : [])),
  };
}

function samePart(
  a: { component: string; hostGroup?: string },
  b: { component: string; hostGroup?: string },
): boolean {
  return a.component === b.component && a.hostGroup === b.hostGroup;
}

/** A component or host group that the new version, or the record, no longer has. */
function removedPart(target: ServiceTarget, before: ObservedPart): PartWish {
  return {
    component: before.component,
    ...(before.hostGroup === undefined ? {} : { hostGroup: before.hostGroup }),
    flow: 'uninstall',
    inPlace: false,
    target: undefined,
    running: before,
    why: [`${target.service} ${target.version} has no ${partName(target.service, before)}`],
    changes: differenceOf(before.inventory, []).changes,
  };
}

function partWish(
  context: PartContext,
  part: PartTarget,
  before: ObservedPart | undefined,
  changedContents: readonly string[],
): PartAnswer {
  const { changes, inPlace } = differenceOf(before?.inventory ?? [], part.inventory);
  const common = {
    component: part.component,
    ...(part.hostGroup === undefined ? {} : { hostGroup: part.hostGroup }),
    inPlace: false,
    target: part,
    running: before,
    changes,
  };
  if (!before) return { ...common, flow: 'install', why: ['it is in the record and not in the cloud'] };
  switch (moveBetween(before.version, part.version, part.lifecycle)) {
    case 'up':
      return { ...common, flow: 'upgrade', why: [`version ${before.version} -> ${part.version}`] };
    case 'down':
      return rollbackWish(context, part, before, common);
    case 'same':
      return sameVersionWish(
        context,
        part,
        before,
        { ...common, inPlace: inPlace && changedContents.length === 0 },
        changedContents,
      );
    case 'unknown':
      return notComparable(context, part, before);
  }
}

function notComparable({ record, wanted }: PartContext, part: PartTarget, before: ObservedPart): PartAnswer {
  const message = `${partName(wanted.name, part)}: ${before.version} runs and ${part.version} is wanted, and the two cannot be compared`;
  const advice = 'Write the version in the form that runs, or set `versionScheme` in the package.';
  return { finding: finding('VersionInvalid', message, placeOf(record, wanted, 'version'), advice) };
}

/** A lower version is a return to what ran here before, from what was kept of it; never a fresh render. */
function rollbackWish(
  { record, wanted, running }: PartContext,
  part: PartTarget,
  before: ObservedPart,
  common: Omit<PartWish, 'flow' | 'why'>,
): PartAnswer {
  const known = running?.revisions ?? [];
  const revision = known.find(
    candidate => moveBetween(candidate.version, part.version, part.lifecycle) === 'same',
  );
  if (revision) {
    const why = [
      `version ${before.version} -> ${part.version}, which ran here as revision ${revision.number}`,
    ];
    // What was kept of the revision is applied, and never rendered again; today's package may show other objects.
    if (revision.packageDigest === part.packageDigest) return { ...common, flow: 'rollback', revision, why };
    const stored =
      'its package has changed since: what was kept of that revision is applied, not the new content';
    return { ...common, changes: [], flow: 'rollback', revision, why: [...why, stored] };
  }
  const message = `${partName(wanted.name, part)}: ${before.version} runs, and the lower version ${part.version} never ran here`;
  const older = known.filter(
    candidate => moveBetween(candidate.version, before.version, part.lifecycle) === 'up',
  );
  const versions = [...new Set(older.map(candidate => candidate.version))];
  const advice =
    versions.length > 0
      ? `Revisions that can be returned to: ${versions.join(', ')}.`
      : 'No older revision is known; name the version that runs, or a higher one.';
  return { finding: finding('RevisionUnknown', message, placeOf(record, wanted, 'version'), advice) };
}

function sameVersionWish(
  { wanted, running }: PartContext,
  part: PartTarget,
  before: ObservedPart,
  common: Omit<PartWish, 'flow' | 'why'>,
  changedContents: readonly string[],
): PartAnswer {
  const newPackage = before.packageDigest !== part.packageDigest;
  const { length } = common.changes;
  const newSchemas = newPackage ? schemasThatChanged(running, part) : [];
  if (newSchemas.length > 0) {
    return {
      ...common,
      inPlace: false,
      flow: 'upgrade',
      why: newSchemas.map(name => `the package of ${part.version} brings a new schema of ${name}`),
    };
  }
  if (length === 0 && changedContents.length === 0) {
    const name = partName(wanted.name, part);
    const note = `${name}: the package has other bytes, but every object it renders is the same; nothing is done`;
    return newPackage ? { note } : undefined;
  }
  const differ = length === 1 ? '1 object differs' : `${length} objects differ`;
  const why = [
    ...changedContents,
    ...(newPackage ? [`the package of ${part.version} has new content: ${differ}`] : []),
    ...(!newPackage && length > 0 ? [`values changed: ${differ}`] : []),
  ];
  // A package that changed under one version may bring anything, a migration too: it walks the whole upgrade flow.
  return { ...common, flow: newPackage && !common.inPlace ? 'upgrade' : 'reconfigure', why };
}

/** Databases whose newest schema is another one in the new content of the same version. */
function schemasThatChanged(running: ObservedService | undefined, part: PartTarget): string[] {
  const before = new Map((running?.lifecycle?.data ?? []).map(data => [data.name, data.head]));
  return part.lifecycle.data
    .filter(data => before.has(data.name) && before.get(data.name) !== data.head)
    .map(data => data.name);
}

/** Secrets and ConfigMaps whose content is not the one that went in. Only their names are ever said. */
function contentsThatChanged({ contents, wanted, running }: PartContext): {
  changed: string[];
  notes: string[];
} {
  const went = new Map(
    (running?.secretDigests ?? []).map(({ kind, name, digest }) => [`${kind}/${name}`, digest]),
  );
  const names = contentNames(wanted);
  const unknown = names.filter(name => !contents.has(name));
  const changed = names.filter(name => contents.has(name) && contents.get(name) !== went.get(name));
  const dropped = [...went.keys()].filter(name => !names.includes(name));
  return {
    changed: [
      ...changed.map(name => `the content of ${name} changed`),
      ...dropped.map(name => `${name} is no longer used`),
    ],
    notes: unknown.map(
      name => `${wanted.name}: the content of ${name} is not known here and taken as unchanged`,
    ),
  };
}
