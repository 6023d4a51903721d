import type { Finding } from '../../api/finding.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { type Manifest, parseYaml } from '../../record/parse-yaml.ts';
import { readPlainYaml } from '../../record/plain-yaml.ts';
import { checkManifest } from '../check-manifest.ts';
import type { ChartObject } from './chart-object.ts';

/** What Helm gave, object by object. Where there are findings it must not be used. */
export interface ParsedChart {
  /** In the order Helm gave them: CRDs, then the release in Helm's order of installation, then hooks by weight. */
  readonly objects: readonly ChartObject[];
  readonly findings: readonly Finding[];
}

/** One piece of what Helm wrote: what became of one document of one file. */
interface Piece {
  readonly file: string;
  readonly text: string;
}

/**
 * Reads what `helm template` wrote. Helm names the file above each document, and that line cannot be forged by a template: Helm has cut the
 * text at every `---` before. `location` is the chart, for messages: these name the file of the chart and the line of what Helm made of it.
 */
export function parseRendered(text: string, location: string): ParsedChart {
  const lines = new Map<string, number>();
  const objects: ChartObject[] = [];
  const findings: Finding[] = [];
  for (const piece of piecesOf(text)) {
    const above = lines.get(piece.file) ?? 0;
    lines.set(piece.file, above + piece.text.split('\n').length - 1);
    const plain = readPlainYaml(piece.text);
    const quick = plain && itemsOf(plain.object);
    if (plain && quick?.every(object => checkManifest({ ...nowhere, object }).length === 0)) {
      const line = above + plain.line;
      objects.push(...quick.map(object => chartObject(object, piece.file, line)));
      continue;
    }
    const parsed = parseYaml(piece.file, piece.text, 'go');
    const wrong = [...parsed.findings.filter(isWorthTelling), ...parsed.manifests.flatMap(checkItems)];
    findings.push(...wrong.map(found => inChart(found, location, piece.file, above)));
    for (const manifest of parsed.manifests) {
      const line = above + (manifest.locate([])?.line ?? 1);
      objects.push(...itemsOf(manifest.object).map(object => chartObject(object, piece.file, line)));
    }
  }
  return { objects, findings };
}

/** For a first look: where something is wrong, the whole parser says where. */
const nowhere = { file: '', index: 0, locate: () => undefined };

const beginning = /^---\n# Source: [^/\n]+\/(.+)$/gm;

function piecesOf(text: string): Piece[] {
  const found = [...text.matchAll(beginning)];
  return found.map((match, index) => {
    const start = match.index + match[0].length + 1;
    const end = found[index + 1]?.index ?? text.length;
    return { file: match[1] ?? '', text: text.slice(start, end) };
  });
}

/** Comments alone are what is left of a template that is switched off; of a key that is there twice Helm takes the last too. */
function isWorthTelling({ code }: Finding): boolean {
  return code !== 'FileEmpty' && code !== 'FieldDuplicate';
}

function checkItems(manifest: Manifest): Finding[] {
  const items = itemsOf(manifest.object);
  if (items.length === 1 && items[0] === manifest.object) return checkManifest(manifest);
  return items.flatMap(object => checkManifest({ ...manifest, object }));
}

/** A list of objects is taken apart, as Helm does when it installs. */
function itemsOf(object: JsonObject): readonly JsonObject[] {
  const { kind, items, metadata } = object;
  if (typeof kind !== 'string' || !kind.endsWith('List') || !isList(items)) return [object];
  // Helm looks for hooks at the list alone: what it says there is said of each item.
  const hooks = annotationsOf({ metadata: metadata ?? {} });
  return items.filter(isObject).map(item => withAnnotations(item, hooks));
}

function withAnnotations(object: JsonObject, more: Readonly<Record<string, string>>): JsonObject {
  if (Object.keys(more).length === 0) return object;
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  const own = isObject(metadata['annotations']) ? metadata['annotations'] : {};
  return { ...object, metadata: { ...metadata, annotations: { ...own, ...more } } };
}

function chartObject(object: JsonObject, file: string, line: number): ChartObject {
  const annotations = annotationsOf(object);
  const weight = annotations['helm.sh/hook-weight'] ?? '';
  return {
    ...{ object, file, line },
    hooks: wordsOf(annotations['helm.sh/hook']),
    weight: /^[-+]?\d{1,9}$/.test(weight) ? Number(weight) : 0,
    deletePolicies: wordsOf(annotations['helm.sh/hook-delete-policy']),
    ...(annotations['helm.sh/resource-policy']?.trim().toLowerCase() === 'keep'
      ? { resourcePolicy: 'keep' as const }
      : {}),
  };
}

/** The annotations of an object that are text, as they must be. */
function annotationsOf(object: JsonObject): Readonly<Record<string, string>> {
  const { metadata } = object;
  const annotations = isObject(metadata) && isObject(metadata['annotations']) ? metadata['annotations'] : {};
  const texts = Object.entries(annotations).flatMap(([key, value]) =>
    typeof value === 'string' ? [[key, value] as const] : [],
  );
  return Object.fromEntries(texts);
}

function wordsOf(text = ''): string[] {
  const words = text.split(',').map(word => word.trim().toLowerCase());
  return words.filter(word => word !== '');
}

/** The line of a finding is one of a text that nobody has: it goes into the message. */
function inChart(found: Finding, location: string, file: string, above: number): Finding {
  const { line, column: _, ...rest } = found;
  const where = line === undefined ? '' : ` (line ${above + line} of what Helm made of it)`;
  const advice = `Look at it with \`helm template\`. ${found.advice}`;
  return { ...rest, message: `${found.message}${where}`, advice, file: `${location}/${file}` };
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
