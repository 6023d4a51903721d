import { type Finding, finding } from '../api/finding.ts';
import { openstackDeployment, type RecordSpec, type Source } from '../api/openstack-deployment.ts';
import { applyDefaults } from '../api/schema/defaults.ts';
import { digestJson } from '../base/digest.ts';
import { compareText, isObject, type Json } from '../base/json.ts';
import { checkReferences, checkStages } from './check-references.ts';
import { checkSources, checkVersions } from './check-services.ts';
import { checkValuesFrom } from './check-values-from.ts';
import { type Draft, draftOf, objectsAt, textOf } from './draft.ts';
import { findInlineSecrets } from './inline-secret.ts';
import { inNormalOrder } from './normal-order.ts';
import type { Manifest } from './parse-yaml.ts';
import { placeOf } from './place-of.ts';
import type { ResolvedRecord } from './record.ts';
import { kindOf, validateManifest } from './validate-manifest.ts';

/** The namespace of a record that names none. */
const defaultNamespace = 'default';

/** What resolving gave: a record, or findings; never both. */
export interface Resolution {
  readonly record?: ResolvedRecord;
  readonly findings: readonly Finding[];
}

/**
 * The one record among the manifests, checked as far as a record can be by itself. `earlier` are the findings of reading
 * the files: they are handed on with those made here, and while there are any there is no record.
 */
export function resolveRecord(manifests: readonly Manifest[], earlier: readonly Finding[] = []): Resolution {
  const records = manifests.filter(manifest => kindOf(manifest) === openstackDeployment);
  const drafts = records.map(manifest =>
    draftOf(manifest, applyDefaults(openstackDeployment.spec.json, manifest.object['spec'] ?? {})),
  );
  const single = manifests.flatMap(validateManifest);
  const [draft] = drafts;
  const findings = inReadingOrder([
    ...earlier,
    ...single,
    ...countFindings(records, earlier.length > 0 || single.some(isAboutKind)),
    ...withoutRepeats(drafts.flatMap(checkDraft), single),
  ]);
  if (findings.length > 0 || !draft) return { findings };
  return { record: recordOf(draft), findings };
}

/** The checks that need more than one field. */
const checks: readonly ((draft: Draft) => Finding[])[] = [
  checkVersions,
  checkSources,
  checkReferences,
  checkStages,
  checkValuesFrom,
  checkTimeZones,
  findInlineSecrets,
];

function checkDraft(draft: Draft): Finding[] {
  return checks.flatMap(check => check(draft));
}

/** The form only: which zones there are is a matter of the machine that opens the window. */
function checkTimeZones({ manifest, spec }: Draft): Finding[] {
  return objectsAt(spec, ['spec'], 'maintenanceWindows').flatMap(({ object, path }) => {
    const zone = textOf(object, 'timeZone');
    if (zone === undefined || /^[A-Za-z][\w+-]*(?:\/[\w+-]+){0,2}$/.test(zone)) return [];
    const advice = 'Write a name such as `Europe/Berlin` or `UTC`.';
    const place = placeOf(manifest, [...path, 'timeZone']);
    return [finding('FieldInvalid', `"${zone}" is not the name of a time zone`, place, advice)];
  });
}

/** Whether a document would perhaps be the record, if only its kind could be told. */
function isAboutKind({ field }: Finding): boolean {
  return field === 'apiVersion' || field === 'kind';
}

/** One record is wanted. Where it could not be read, that is said already, and a second finding would only distract. */
function countFindings(records: readonly Manifest[], isUnread: boolean): Finding[] {
  const [first, ...others] = records;
  if (!first) return isUnread ? [] : [finding('NoRecord', 'there is no OpenstackDeployment in the input')];
  return others.map(other => {
    const place = placeOf(other, ['metadata', 'name']);
    const at = `${first.file}:${first.locate(['metadata', 'name'])?.line ?? 1}`;
    if (namespaceOf(other) === namespaceOf(first)) {
      const message = `namespace "${namespaceOf(first)}" has a record already, at ${at}`;
      return finding('SecondRecord', message, place);
    }
    const message = `the input holds records of several clouds, the first at ${at}`;
    return finding('UsageInvalid', message, place, 'Name the files of one cloud only.');
  });
}

/** A field whose value the schema refuses already needs no second finding. */
function withoutRepeats(found: readonly Finding[], before: readonly Finding[]): Finding[] {
  const fields = new Set(before.map(keyOf));
  return found.filter(one => !fields.has(keyOf(one)));
}

function keyOf({ file, line, field }: Finding): string {
  return JSON.stringify([file, line, field]);
}

/** File by file as they were given, and each from top to bottom. */
function inReadingOrder(findings: readonly Finding[]): Finding[] {
  const files = [...new Set(findings.map(({ file }) => file))];
  const rank = new Map(files.map((file, index) => [file, index]));
  return [...findings].sort(
    (a, b) =>
      (rank.get(a.file) ?? 0) - (rank.get(b.file) ?? 0) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  );
}

function namespaceOf(manifest: Manifest): string {
  const metadata = manifest.object['metadata'];
  return (isObject(metadata) ? textOf(metadata, 'namespace') : undefined) ?? defaultNamespace;
}

/** Only for a draft without findings: the schema has vouched for every type. */
function recordOf({ manifest, spec: checked }: Draft): ResolvedRecord {
  const spec = checked as unknown as RecordSpec;
  const metadata = manifest.object['metadata'] as { name: string; generation?: number };
  const services = spec.services.map((service, index) => ({
    ...service,
    index,
    source: (service.source ?? spec.source) as Source,
  }));
  return {
    name: metadata.name,
    namespace: namespaceOf(manifest),
    generation: metadata.generation ?? 0,
    digest: digestSpec(checked),
    spec,
    services: services.sort((a, b) => compareText(a.name, b.name)),
    file: manifest.file,
    locate: manifest.locate,
  };
}

/** The order in which services, components or dependencies are written says nothing; that of stages does. */
function digestSpec(spec: Json): string {
  return digestJson(inNormalOrder(openstackDeployment.spec.json, spec, path => path.join('.') === 'stages'));
}
