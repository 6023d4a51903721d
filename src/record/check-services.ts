import { type Finding, finding } from '../api/finding.ts';
import type { FieldPath } from '../api/schema/problem.ts';
import { parseVersion } from '../api/version/version.ts';
import { didYouMean } from '../base/did-you-mean.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { type Draft, type DraftItem, objectsAt, textOf } from './draft.ts';
import type { Manifest } from './parse-yaml.ts';
import { placeOf } from './place-of.ts';

/** Every version, of services, components and host groups, that is none. */
export function checkVersions({ manifest, services }: Draft): Finding[] {
  const components = services.flatMap(({ object, path }) => objectsAt(object, path, 'components'));
  const hostGroups = components.flatMap(({ object, path }) => objectsAt(object, path, 'hostGroups'));
  return [...services, ...components, ...hostGroups].flatMap(({ object, path }) => {
    const version = textOf(object, 'version');
    if (version === undefined || parseVersion(version)) return [];
    const message = `${JSON.stringify(version)} is not a version`;
    return [finding('VersionInvalid', message, placeOf(manifest, [...path, 'version']))];
  });
}

/** Services whose package comes from nowhere, and placeholders in locations that stand for nothing. */
export function checkSources({ manifest, spec, services }: Draft): Finding[] {
  const hasDefault = Object.hasOwn(spec, 'source');
  const missing = services
    .filter(({ object }) => !hasDefault && !Object.hasOwn(object, 'source'))
    .map(service => sourceMissing(manifest, service));
  const owners: DraftItem[] = [{ object: spec, path: ['spec'] }, ...services];
  return [...missing, ...owners.flatMap(({ object, path }) => placeholderFindings(manifest, object, path))];
}

function sourceMissing(manifest: Manifest, { object, path }: DraftItem): Finding {
  const message = `nothing says where the package of ${textOf(object, 'name') ?? 'this service'} comes from`;
  return finding('SourceMissing', message, placeOf(manifest, [...path, 'source']));
}

const placeholders = ['name', 'version'] as const;

function placeholderFindings(manifest: Manifest, owner: JsonObject, path: FieldPath): Finding[] {
  const source = owner['source'];
  const location = isObject(source) ? textOf(source, 'location') : undefined;
  if (location === undefined) return [];
  const place = placeOf(manifest, [...path, 'source', 'location']);
  const findings = [...location.matchAll(/\{([^{}]*)\}/g)].flatMap(([whole, name = '']) => {
    if (placeholders.some(known => known === name)) return [];
    const near = didYouMean(name, placeholders);
    const advice = near
      ? `Did you mean \`{${near}}\`?`
      : 'Only `{name}` and `{version}` stand for something.';
    return [finding('FieldInvalid', `\`${whole}\` stands for nothing in a location`, place, advice)];
  });
  if (!/[{}]/.test(location.replace(/\{[^{}]*\}/g, ''))) return findings;
  const advice = 'Write `{name}` or `{version}`, or leave the brace out.';
  return [...findings, finding('FieldInvalid', 'a location has a brace without its partner', place, advice)];
}
