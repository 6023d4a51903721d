import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtinShapes } from '../../../src/cluster/embedded/kinds/builtin-shapes.ts';
import type { GeneratedFile } from '../../generate/generated-file.ts';
import { parts } from '../build/parts.ts';

const run = promisify(execFile);

/** Types of requests that are no objects. */
const options = ['meta.v1.DeleteOptions', 'meta.v1.Preconditions'];

/** Where the sources of Kubernetes' types lie that the programs were built of; undefined where they are not there. */
export async function findTypeSources(): Promise<string | undefined> {
  const { stdout } = await run('go', ['env', 'GOMODCACHE']).catch(() => ({ stdout: '' }));
  const folder = join(stdout.trim(), 'k8s.io');
  const { stagingVersion: version } = parts.kubernetes;
  return stdout && existsSync(join(folder, `api@${version}`)) ? folder : undefined;
}

/** The numbers that the fields of built-in types have in protobuf, from the sources of their types. */
export async function fieldNumbersFile(sources: string): Promise<GeneratedFile> {
  const names = builtinShapes
    .trim()
    .split('\n')
    .map(line => line.slice(0, line.indexOf(' ')))
    .filter(name => !name.startsWith('apiextensions.'));
  const packages = new Map<string, string>();
  const lines = new Map<string, string>();
  const tell = async (name: string): Promise<void> => {
    if (lines.has(name)) return;
    const [folder = '', version = '', type = ''] = name.split('.');
    const source = packages.get(`${folder}/${version}`) ?? (await readPackage(sources, folder, version));
    packages.set(`${folder}/${version}`, source);
    const fields = fieldsOf(source, type, `${folder}.${version}`);
    lines.set(name, [name, ...fields.map(({ word }) => word)].join(' '));
    for (const { inline } of fields) if (inline !== undefined) await tell(inline);
  };
  for (const name of [...names, ...options]) await tell(name);
  const content = `${header}${[...lines.values()].sort().join('\n')}\n\`;\n`;
  return { path: 'src/server/protobuf/field-numbers.ts', content };
}

function readPackage(sources: string, folder: string, version: string): Promise<string> {
  const { stagingVersion: release } = parts.kubernetes;
  const place =
    folder === 'meta'
      ? join(sources, `apimachinery@${release}`, 'pkg', 'apis', 'meta')
      : join(sources, `api@${release}`, folder);
  return readFile(join(place, version, 'types.go'), 'utf8');
}

interface Field {
  readonly word: string;
  readonly inline?: string;
}

function fieldsOf(source: string, type: string, place: string): Field[] {
  const start = source.indexOf(`\ntype ${type} struct {`);
  if (start < 0) throw new Error(`${place} has no type ${type}`);
  const body = source.slice(start, source.indexOf('\n}', start));
  return [
    ...body.matchAll(/^\t(?:(\w+)\s+)?(\S+)\s+`json:"([^",]*)[^"]*"[^`]*?\s*protobuf:"\w+,(\d+),([^"]*)"/gm),
  ].map(([, , go = '', json = '', number = '', words = '']) => {
    if (json === '') {
      const inline = `${place}.${go.replace(/^.*\./, '')}`;
      return { word: `${number}~${inline}`, inline };
    }
    const isBytes = go === '[]byte' || go === 'map[string][]byte';
    return {
      word: `${number}${isBytes ? '#' : go.startsWith('*') || words.startsWith('rep') ? '*' : '='}${json}`,
    };
  });
}

const header = `/**
 * The number of every field of the built-in types in protobuf, one type a line. Made from the sources of Kubernetes
 * ${parts.kubernetes.version} by scripts/kubernetes/write-builtin-shapes.ts, never by hand.
 *
 * \`=\` a field that is written also when it is not set, \`*\` one that is written only when it is, \`#\` one that holds bytes, \`~\` fields of
 * another type that stand in this one.
 */
export const fieldNumbers = \`
`;
