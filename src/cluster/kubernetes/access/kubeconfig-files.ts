import { readFile } from 'node:fs/promises';
import { type Document, parseDocument } from 'yaml';
import { CodedError } from '../../../base/coded-error.ts';
import { isObject } from '../../../base/json.ts';
import { KubeconfigField } from './kubeconfig-field.ts';

/** Several kubeconfig files seen as one: what is said first holds, for the current context and for each name. */
export interface Kubeconfig {
  readonly files: readonly string[];
  readonly currentContext: string | undefined;
  readonly contexts: ReadonlyMap<string, KubeconfigField>;
  readonly clusters: ReadonlyMap<string, KubeconfigField>;
  readonly users: ReadonlyMap<string, KubeconfigField>;
}

/**
 * Reads and merges kubeconfig files. Of several, those that are not there are passed over, as kubectl does; undefined when
 * none is there. Throws `KubeconfigInvalid` for one that cannot be read or says nonsense.
 */
export async function readKubeconfigs(files: readonly string[]): Promise<Kubeconfig | undefined> {
  const read = await Promise.all(files.map(readOne));
  const roots = read.filter(root => root !== undefined);
  if (roots.length === 0) return undefined;
  return {
    files: roots.map(root => root.file),
    currentContext: roots.map(root => root.text('current-context')).find(name => name !== undefined),
    contexts: merged(roots, 'contexts', 'context'),
    clusters: merged(roots, 'clusters', 'cluster'),
    users: merged(roots, 'users', 'user'),
  };
}

async function readOne(file: string): Promise<KubeconfigField | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return undefined;
    throw invalid(file, `cannot be read (${code})`, cause);
  }
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem) {
    const line = problem.linePos?.[0].line;
    throw invalid(file, `is no YAML${line === undefined ? '' : `, see line ${line}`} (${problem.code})`);
  }
  const value = plainValue(file, document);
  if (!isObject(value)) throw invalid(file, 'is no kubeconfig: it must be an object');
  if (value['kind'] !== undefined && value['kind'] !== 'Config')
    throw invalid(file, 'is no kubeconfig: its kind must be Config');
  return new KubeconfigField(file, '', value);
}

/** Aliases that would make a small file a large value are refused by the reader of YAML. */
function plainValue(file: string, document: Document): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    throw invalid(file, 'is no kubeconfig: it has more aliases than anybody writes', cause);
  }
}

function merged(
  roots: readonly KubeconfigField[],
  list: string,
  inner: string,
): ReadonlyMap<string, KubeconfigField> {
  const found = new Map<string, KubeconfigField>();
  for (const item of roots.flatMap(root => root.items(list))) {
    const name = item.text('name');
    if (name === undefined) throw item.wrong('name', 'is missing');
    // A user may be empty: whoever needs no credentials.
    const value = item.object(inner) ?? new KubeconfigField(item.file, `${item.path}.${inner}`, {});
    if (!found.has(name)) found.set(name, value);
  }
  return found;
}

function invalid(file: string, what: string, cause?: unknown): CodedError {
  return new CodedError('KubeconfigInvalid', `${file} ${what}`, { details: { file }, cause });
}
