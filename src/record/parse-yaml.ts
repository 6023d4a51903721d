import { type Document, isScalar, LineCounter, parseAllDocuments, type YAMLError } from 'yaml';
import { type Finding, finding, formatPath } from '../api/finding.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { goYamlTags } from './go-yaml.ts';
import { type LineColumn, type Locate, makeLocate } from './locate.ts';
import { findExcess, maxTextLength } from './yaml-limits.ts';
import { findAliasTargets } from './yaml-nodes.ts';
import { type JsonProblem, toJson } from './yaml-to-json.ts';

/** One document of a file: a map, of whatever kind. */
export interface Manifest {
  readonly file: string;
  /** Its place among the documents of the file, from 0. */
  readonly index: number;
  readonly object: JsonObject;
  /** Line and column of a field: of its value, or of its name; of the nearest parent when it is not there. */
  readonly locate: Locate;
}

/** What a text gave: the documents that can be read, and all that is wrong with the others. */
export interface Parsed {
  readonly manifests: readonly Manifest[];
  readonly findings: readonly Finding[];
}

/**
 * Only what JSON can say, and no second guess: `on` is text, a date is text, `!!binary` is refused. Keys that are there
 * twice and merge keys are our own business (yaml-to-json.ts), because the library compares every key with every other.
 */
const options = {
  schema: 'core',
  merge: false,
  resolveKnownTags: false,
  stringKeys: true,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

/** Who the words of a text were written for: `plain` reads them as JSON would, `go` as Helm and Kubernetes do. */
export type YamlWords = 'plain' | 'go';

const wordOptions = {
  plain: options,
  go: { ...options, schema: 'failsafe', customTags: goYamlTags },
} as const;

/**
 * Reads the documents of a file. Never throws for a text, whatever it holds. Empty documents are left out; a document with a finding may still be
 * given, so that later stages can say what else is wrong with it: whoever goes on must first look at the findings.
 */
export function parseYaml(file: string, text: string, words: YamlWords = 'plain'): Parsed {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const refusal = findRefusal(file, body);
  if (refusal) return { manifests: [], findings: [refusal] };
  const lines = new LineCounter();
  const documents = parseSafely(body, lines, words);
  if (!documents) {
    return {
      manifests: [],
      findings: [finding('YamlTooComplex', 'the file nests without measure', { file })],
    };
  }
  const parsed = documents.map((document, index) => readDocument({ file, index, document, lines }));
  const manifests = parsed.flatMap(result => result.manifests);
  const findings = parsed.flatMap(result => result.findings);
  if (manifests.length === 0 && findings.length === 0) {
    findings.push(finding('FileEmpty', 'there is no document in the file', { file }));
  }
  return { manifests, findings };
}

/** The reason not even to try. */
function findRefusal(file: string, text: string): Finding | undefined {
  if (text.length > maxTextLength) return tooLarge(file);
  const nul = text.indexOf('\0');
  if (nul >= 0) {
    return finding('FileNotText', 'the file holds a NUL byte', { file, ...placeAt(text, nul) });
  }
  const excess = findExcess(text);
  return excess && finding('YamlTooComplex', excess.message, { file, ...placeAt(text, excess.offset) });
}

/** The finding for a file that is larger than any sensible one. */
export function tooLarge(file: string): Finding {
  const mebibytes = maxTextLength / 1024 / 1024;
  return finding('FileTooLarge', `the file is larger than ${mebibytes} MiB`, { file });
}

function placeAt(text: string, offset: number): LineColumn {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Undefined when the parser ran out of stack in spite of the check before. */
function parseSafely(text: string, lines: LineCounter, words: YamlWords): readonly Document[] | undefined {
  try {
    return parseAllDocuments(text, { ...wordOptions[words], lineCounter: lines });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface DocumentInFile {
  readonly file: string;
  readonly index: number;
  readonly document: Document;
  readonly lines: LineCounter;
}

function readDocument({ file, index, document, lines }: DocumentInFile): Parsed {
  const place = (offset: number | undefined) => {
    if (offset === undefined || offset < 0) return { file };
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  const errors = [
    ...document.errors,
    ...document.warnings.filter(({ code }) => code === 'TAG_RESOLVE_FAILED'),
  ];
  if (errors.length > 0) {
    // One slip makes the parser stumble several times over the same line: the first says it.
    const findings = errors.map(error => syntaxFinding(error, place(error.pos[0])));
    const lines = findings.map(found => found.line);
    return {
      manifests: [],
      findings: findings.filter((found, index) => lines.indexOf(found.line) === index),
    };
  }
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null))
    return { manifests: [], findings: [] };
  const targets = findAliasTargets(contents);
  const { value, problems } = toJson(contents, targets);
  const findings = problems.map(problem => jsonFinding(problem, place(problem.offset)));
  if (problems.some(problem => !problem.harmless)) return { manifests: [], findings };
  if (!isObject(value)) {
    const what = Array.isArray(value) ? 'a list' : 'a single value';
    const advice = 'A document is a map: lines of `name: value`.';
    const notMap = finding('FieldType', `the document is ${what}`, place(contents.range?.[0]), advice);
    return { manifests: [], findings: [...findings, notMap] };
  }
  return {
    manifests: [{ file, index, object: value, locate: makeLocate(contents, targets, lines) }],
    findings,
  };
}

function syntaxFinding(error: YAMLError, place: { file: string }): Finding {
  if (error.code === 'RESOURCE_EXHAUSTION') {
    return finding('YamlTooComplex', 'the document nests without measure', place);
  }
  if (error.code === 'NON_STRING_KEY') return finding('YamlSyntax', 'a key must be plain text', place);
  // Some messages quote the text they stumbled over, which may be a secret.
  const [message = ''] = error.message.split(/: "|\n/, 1);
  return finding('YamlSyntax', message, place);
}

function jsonFinding(problem: JsonProblem, place: { file: string }): Finding {
  const field = formatPath(problem.path);
  return finding(problem.code, `${field || 'the document'} ${problem.message}`, { ...place, field });
}
