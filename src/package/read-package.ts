import { type Finding, finding, findingOf } from '../api/finding.ts';
import { type PackageLifecycle, packageLifecycle } from '../api/package-lifecycle.ts';
import { applyDefaults } from '../api/schema/defaults.ts';
import type { Problem } from '../api/schema/problem.ts';
import { validate } from '../api/schema/validate.ts';
import type { JsonObject } from '../base/json.ts';
import { type Manifest, parseYaml } from '../record/parse-yaml.ts';
import { placeOf } from '../record/place-of.ts';
import { isTemplate } from './chart/chart.ts';
import { isChart, readChart } from './chart/read-chart.ts';
import { checkLifecycle } from './check-lifecycle.ts';
import { checkManifest } from './check-manifest.ts';
import type { PackageManifest, ServicePackage } from './package.ts';
import { packageDigest } from './package-digest.ts';
import type { PackageFile, PackageFiles } from './source.ts';

/** A package, or everything that is wrong with its files. */
export interface ReadPackage {
  readonly package?: ServicePackage;
  readonly findings: readonly Finding[];
}

const lifecycleFile = 'lifecycle.yaml';
const valuesFile = 'values.yaml';

/** What a chart that does not say it itself is taken for. */
export interface AskedPackage {
  readonly service: string;
  readonly version?: string;
}

/**
 * Makes a package of its files: `lifecycle.yaml` at the root, which must be there, `values.yaml`, which may be, and
 * every other *.yaml and *.yml as manifests, hidden ones left out. Other files count for the digest and are not looked
 * at. A Helm chart needs no `lifecycle.yaml`, and is a package without manifests until `renderChart` gave it some. There is
 * a package only where there is no finding. `location` is for messages.
 */
export function readPackage(files: PackageFiles, location: string, asked?: AskedPackage): ReadPackage {
  if (isChart(files)) return readChartPackage(files, location, asked);
  const refusal = findRefusal(files, location);
  if (refusal) return { findings: [refusal] };
  const lifecycle = readLifecycle(files, location);
  const values = readValues(files, location);
  const manifests = readManifests(files, location);
  const checked = lifecycle.value
    ? checkLifecycle({
        lifecycle: lifecycle.value,
        place: lifecycle.manifest,
        files: files.map(({ path }) => path).filter(isManifestFile),
        manifests: manifests.manifests,
        complete: manifests.findings.length === 0,
      })
    : [];
  const findings = [...lifecycle.findings, ...checked, ...values.findings, ...manifests.findings];
  if (findings.length > 0 || !lifecycle.value) return { findings };
  return {
    package: {
      lifecycle: lifecycle.value,
      digest: packageDigest(files),
      values: values.object,
      manifests: manifests.manifests,
      location,
    },
    findings,
  };
}

/** A chart, with what its `lifecycle.yaml` says; without one, the service and version that were asked for, or those of the chart itself. */
function readChartPackage(
  files: PackageFiles,
  location: string,
  asked: AskedPackage | undefined,
): ReadPackage {
  const { chart, findings } = readChart(files, location);
  if (!chart) return { findings };
  const own = readLifecycle(files, location);
  if (own.findings.length > 0) return { findings: own.findings };
  const common = { digest: packageDigest(files), values: {}, manifests: [], location };
  if (!own.value) {
    const version =
      asked?.version !== undefined && isVersionOf(chart, asked.version) ? asked.version : chart.version;
    const lifecycle = plainLifecycle({ service: asked?.service ?? chart.name, version });
    if ('findings' in lifecycle)
      return { findings: lifecycle.findings.map(one => ({ ...one, file: `${location}/Chart.yaml` })) };
    return { package: { lifecycle: lifecycle.value, ...common, chart }, findings: [] };
  }
  const wrong = checkLifecycle({
    ...{ lifecycle: own.value, place: own.manifest, manifests: [], complete: false },
    files: files.map(({ path }) => path).filter(isTemplate),
  });
  if (wrong.length > 0) return { findings: wrong };
  const written = { lifecycle: own.value, manifest: own.manifest };
  return { package: { lifecycle: own.value, ...common, chart: { ...chart, written } }, findings: [] };
}

/** A record may name a chart by its own version or by that of the software. */
function isVersionOf(chart: { version: string; appVersion?: string }, version: string): boolean {
  return [chart.version, chart.appVersion].some(
    one => one !== undefined && one.replace(/^v/, '') === version.replace(/^v/, ''),
  );
}

function plainLifecycle(said: {
  service: string;
  version: string;
}): { value: PackageLifecycle } | { findings: readonly Finding[] } {
  const filled = applyDefaults(packageLifecycle.json, said);
  const problems = validate(packageLifecycle.json, filled);
  if (problems.length > 0) return { findings: problems.map(problem => findingOf(problem, {})) };
  return { value: filled as PackageLifecycle };
}

/** The reason why there is nothing to read. */
function findRefusal(files: PackageFiles, location: string): Finding | undefined {
  const paths = files.map(({ path }) => path);
  if (paths.includes(lifecycleFile)) return undefined;
  const near = paths.find(path => /(^|\/)lifecycle\.ya?ml$/i.test(path));
  const advice = near
    ? `There is ${near}: call it ${lifecycleFile} and put it at the root of the package.`
    : `Write one; its first two lines are \`service\` and \`version\`.`;
  const message = `package ${location} has no ${lifecycleFile} at its root`;
  return finding('PackageInvalid', message, { file: location }, advice);
}

function readLifecycle(
  files: PackageFiles,
  location: string,
):
  | { value: PackageLifecycle; manifest: Manifest; findings: readonly Finding[] }
  | { value?: undefined; findings: readonly Finding[] } {
  const { manifest, findings } = readOne(files, location, lifecycleFile);
  if (!manifest || findings.length > 0) return { findings };
  const filled = applyDefaults(packageLifecycle.json, manifest.object);
  const problems = validate(packageLifecycle.json, filled);
  if (problems.length > 0) return { findings: problems.map(problem => lifecycleFinding(manifest, problem)) };
  return { value: filled as PackageLifecycle, manifest, findings };
}

function lifecycleFinding(manifest: Manifest, problem: Problem): Finding {
  const place = placeOf(manifest, problem.path, problem.code === 'FieldUnknown' ? 'key' : 'value');
  const found = findingOf(problem, place);
  // A version without quotes is a number to YAML: the most frequent slip.
  const isTextWanted = problem.code === 'FieldType' && problem.message.startsWith('must be text');
  return isTextWanted ? { ...found, advice: 'Put the value in quotes, so that it is text.' } : found;
}

function readValues(
  files: PackageFiles,
  location: string,
): { object: JsonObject; findings: readonly Finding[] } {
  const { manifest, findings } = readOne(files, location, valuesFile);
  const others = findings.filter(({ code }) => code !== 'FileEmpty'); // nothing but comments is fine here
  return { object: manifest?.object ?? {}, findings: others };
}

/** A file that holds one document; nothing where there is no such file. */
function readOne(
  files: PackageFiles,
  location: string,
  path: string,
): { manifest?: Manifest; findings: readonly Finding[] } {
  const file = files.find(one => one.path === path);
  if (!file) return { findings: [] };
  const { manifests, findings } = parseFile(file, location);
  const [manifest, second] = manifests;
  if (!manifest) return { findings };
  if (!second) return { manifest, findings };
  const place = { file: second.file, ...second.locate([]) };
  return {
    manifest,
    findings: [...findings, finding('PackageInvalid', `${path} has more than one document`, place)],
  };
}

function readManifests(
  files: PackageFiles,
  location: string,
): { manifests: readonly PackageManifest[]; findings: readonly Finding[] } {
  const manifests: PackageManifest[] = [];
  const findings: Finding[] = [];
  for (const file of files) {
    if (!isManifestFile(file.path)) continue;
    const parsed = parseFile(file, location);
    findings.push(...parsed.findings.map(adviseOnEmpty), ...parsed.manifests.flatMap(checkManifest));
    for (const { object, locate } of parsed.manifests) {
      manifests.push({ file: file.path, line: locate([])?.line ?? 1, object, locate });
    }
  }
  return { manifests, findings };
}

function adviseOnEmpty(found: Finding): Finding {
  return found.code === 'FileEmpty'
    ? { ...found, advice: 'Write the manifest, or take the file away.' }
    : found;
}

function parseFile(file: PackageFile, location: string): ReturnType<typeof parseYaml> {
  const name = `${location}/${file.path}`;
  try {
    return parseYaml(name, new TextDecoder('utf-8', { fatal: true }).decode(file.bytes));
  } catch {
    const notText = finding('FileNotText', 'the file holds bytes that are not UTF-8', { file: name });
    return { manifests: [], findings: [notText] };
  }
}

function isManifestFile(path: string): boolean {
  const isHidden = path.split('/').some(part => part.startsWith('.'));
  return /\.ya?ml$/.test(path) && !isHidden && path !== lifecycleFile && path !== valuesFile;
}
