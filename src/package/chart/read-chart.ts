import { type Finding, finding } from '../../api/finding.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { parseYaml } from '../../record/parse-yaml.ts';
import type { PackageFiles } from '../source.ts';
import { type Chart, isTemplate } from './chart.ts';

/** A chart without what its lifecycle says, or everything that is wrong with its first page. */
export interface ReadChart {
  readonly chart?: Omit<Chart, 'written'>;
  readonly findings: readonly Finding[];
}

/** Whether these are the files of a Helm chart. */
export function isChart(files: PackageFiles): boolean {
  return files.some(({ path }) => path === 'Chart.yaml');
}

/** Reads what a chart says of itself: `Chart.yaml`, of Helm 2 or 3. What its templates are worth Helm will say. */
export function readChart(files: PackageFiles, location: string): ReadChart {
  const file = `${location}/Chart.yaml`;
  const parsed = parseYaml(file, textOf(files, 'Chart.yaml') ?? '', 'go');
  const [page] = parsed.manifests;
  if (!page || parsed.findings.length > 0) return { findings: parsed.findings };
  const { name, version, appVersion, description, annotations, type } = page.object;
  const wrong = (field: string, message: string, advice?: string) =>
    finding('PackageInvalid', message, { file, ...page.locate([field]), field }, advice);
  const findings: Finding[] = [];
  if (!isText(name)) findings.push(wrong('name', 'the chart has no name'));
  if (!isText(version)) findings.push(wrong('version', 'the chart has no version'));
  if (type === 'library')
    findings.push(wrong('type', 'the chart is a library', 'Name the chart that uses it.'));
  if (!isText(name) || !isText(version) || findings.length > 0) return { findings };
  const app = appVersion === undefined || appVersion === null ? {} : { appVersion: `${appVersion}` };
  const about = {
    ...app,
    ...(isText(description) ? { description } : {}),
    annotations: isObject(annotations) ? textsOf(annotations) : {},
  };
  return { chart: { name, version, ...about, files, asksForStage: asksForStage(files) }, findings };
}

/**
 * Charts that were written for phases gate their templates by `.Values.oslc.stage`, older ones by `.Values.lifecycle`. Others have a value of
 * the second name for something else, and then it is a map.
 */
function asksForStage(files: PackageFiles): boolean {
  const templates = files.filter(({ path }) => isTemplate(path)).map(({ bytes }) => decode(bytes) ?? '');
  if (templates.some(text => /\.Values\.oslc\.stage\b/.test(text))) return true;
  if (!templates.some(text => /\.Values\.lifecycle(?![\w.])/.test(text))) return false;
  const [values] = parseYaml('values.yaml', textOf(files, 'values.yaml') ?? '', 'go').manifests;
  const lifecycle = values?.object['lifecycle'];
  return lifecycle === null || typeof lifecycle === 'string';
}

/** Where the templates of a chart ask the cluster, which answers nothing while a chart is rendered. */
export function findLookups(files: PackageFiles, location: string): Finding[] {
  return files.flatMap(({ path, bytes }) => {
    if (!isTemplate(path)) return [];
    const lines = (decode(bytes) ?? '').split('\n');
    return lines.flatMap((line, index) =>
      /\{\{[^}]*[(\s]lookup\s+["$.(]/.test(line)
        ? [
            finding(
              'ChartVaries',
              '`lookup` finds nothing: a chart is rendered before anything is there',
              { file: `${location}/${path}`, line: index + 1 },
              'Give what it looks for as a value, or name it under `generated` in the lifecycle.yaml of the chart.',
            ),
          ]
        : [],
    );
  });
}

function textOf(files: PackageFiles, path: string): string | undefined {
  const file = files.find(one => one.path === path);
  return file && decode(file.bytes);
}

/** Undefined for what is no text. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

function textsOf(map: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(map).flatMap(([key, value]) => (isText(value) ? [[key, value]] : [])),
  );
}
