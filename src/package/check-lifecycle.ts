import { type Finding, finding } from '../api/finding.ts';
import type { PackageLifecycle, PhaseFiles } from '../api/package-lifecycle.ts';
import type { FieldPath } from '../api/schema/problem.ts';
import { parseSeries } from '../api/version/series.ts';
import { parseVersion } from '../api/version/version.ts';
import { parseLimit } from '../api/version/version-limit.ts';
import { didYouMean } from '../base/did-you-mean.ts';
import type { Manifest } from '../record/parse-yaml.ts';
import { placeOf } from '../record/place-of.ts';
import { identityOf, referenceOf } from './object-kinds.ts';
import type { PackageManifest } from './package.ts';
import { type Placement, placeObjects } from './place-objects.ts';
import { taskReferences } from './task-references.ts';

/** A lifecycle that passed its schema, and what it speaks of. */
export interface LifecycleToCheck {
  readonly lifecycle: PackageLifecycle;
  /** Where it was written. */
  readonly place: Manifest;
  /** Paths of the manifest files of the package. */
  readonly files: readonly string[];
  readonly manifests: readonly PackageManifest[];
  /** Whether all manifests could be read; otherwise a task that is missing may be in one that could not. */
  readonly complete: boolean;
}

/** Everything that is wrong between a lifecycle and the rest of its package. */
export function checkLifecycle(given: LifecycleToCheck): Finding[] {
  return [
    ...versionFindings(given),
    ...skewFindings(given),
    ...fileFindings(given),
    ...(given.complete ? [...taskFindings(given), ...duplicateFindings(given)] : []),
  ];
}

function versionFindings({ lifecycle, place }: LifecycleToCheck): Finding[] {
  const { version, series, versionScheme, requires, upgrade } = lifecycle;
  const wrong = (path: FieldPath, message: string) =>
    finding('VersionInvalid', message, placeOf(place, path));
  const limits: [FieldPath, string][] = [
    ...requires.map((one, index): [FieldPath, string] => [['requires', index, 'version'], one.version]),
    [['upgrade', 'from'], upgrade.from],
    ...upgrade.after.map((one, index): [FieldPath, string] => [
      ['upgrade', 'after', index, 'version'],
      one.version,
    ]),
  ];
  return [
    ...(parseVersion(version, versionScheme)
      ? []
      : [wrong(['version'], `${quote(version)} is not a version`)]),
    ...(series === undefined || parseSeries(series)
      ? []
      : [wrong(['series'], `${quote(series)} is not an OpenStack release`)]),
    ...limits.flatMap(([path, text]) => {
      const parsed = parseLimit(text);
      return parsed.ok ? [] : [wrong(path, parsed.problem)];
    }),
  ];
}

function skewFindings({ lifecycle, place }: LifecycleToCheck): Finding[] {
  const names = lifecycle.components.map(({ name }) => name);
  return Object.keys(lifecycle.upgrade.skew).flatMap(name => {
    if (names.includes(name)) return [];
    const at = placeOf(place, ['upgrade', 'skew', name], 'key');
    return [finding('PackageInvalid', `there is no component ${quote(name)}`, at, suggest(name, names))];
  });
}

function fileFindings({ lifecycle, place, files }: LifecycleToCheck): Finding[] {
  const lists: [FieldPath, readonly string[]][] = [
    ...phaseLists(lifecycle.phases, ['phases']),
    ...lifecycle.components.flatMap(({ phases = {} }, index) =>
      phaseLists(phases, ['components', index, 'phases']),
    ),
    [['support'], lifecycle.support ?? []],
  ];
  return lists.flatMap(([path, list]) =>
    list.flatMap((file, index) => {
      if (files.includes(file)) return [];
      const at = placeOf(place, [...path, index]);
      return [
        finding('PackageInvalid', `there is no manifest file ${quote(file)}`, at, suggest(file, files)),
      ];
    }),
  );
}

function phaseLists(phases: PhaseFiles, path: FieldPath): [FieldPath, readonly string[]][] {
  return Object.entries(phases).map(([phase, files = []]) => [[...path, phase], files]);
}

function taskFindings({ lifecycle, place, manifests }: LifecycleToCheck): Finding[] {
  const known = manifests.map(({ object }) => referenceOf(object));
  return taskReferences(lifecycle).flatMap(({ reference, path }) => {
    if (known.includes(reference)) return [];
    const message = `no manifest of the package is ${reference}`;
    return [finding('TaskMissing', message, placeOf(place, path), suggest(reference, known))];
  });
}

/** Found before rendering too, because an author checks a package without a record. */
function duplicateFindings({ lifecycle, manifests, place }: LifecycleToCheck): Finding[] {
  const folder = place.file.slice(0, -'lifecycle.yaml'.length);
  const placements = placeObjects(lifecycle, manifests);
  const seen = new Map<string, Placement[]>();
  return placements.flatMap(one => {
    const { kind, name, namespace } = identityOf(one.manifest.object);
    const key = JSON.stringify([kind, name, namespace]);
    const earlier = seen.get(key) ?? [];
    seen.set(key, [...earlier, one]);
    const other = earlier.find(before => sharesPhase(before, one) && !isToldApart(before, one, name));
    if (!other) return [];
    const at = { file: `${folder}${one.manifest.file}`, ...one.manifest.locate(['metadata', 'name']) };
    const where = `${other.manifest.file}, line ${other.manifest.line}`;
    return [finding('PackageInvalid', `${kind} ${name} is there twice in one phase: also in ${where}`, at)];
  });
}

function sharesPhase(a: Placement, b: Placement): boolean {
  return a.phases.some(phase => b.phases.includes(phase));
}

/** A file of two components gives two objects when the name says which component it is of. */
function isToldApart(a: Placement, b: Placement, name: string): boolean {
  return a.component !== b.component && name.includes('${component}');
}

function suggest(written: string, candidates: readonly string[]): string | undefined {
  const near = didYouMean(written, candidates);
  return near === undefined ? undefined : `Did you mean \`${near}\`?`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
