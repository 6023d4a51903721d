import type { StoredObject } from '../../../cluster/cluster.ts';
import type { EnvSources } from '../env/container-env.ts';
import { fieldValue, resourceValue } from '../env/downward-field.ts';
import type { DownwardItem, KeyToPath, ProjectedSource, Volume } from '../pod-shape.ts';

/** One file of a volume. */
export interface VolumeFile {
  readonly bytes: Buffer;
  readonly mode: number;
}

/** The files of a volume by their path in it, or why they cannot be had, in a kubelet's words. */
export type VolumeContent =
  | { readonly files: ReadonlyMap<string, VolumeFile> }
  | { readonly problem: string };

/** What volumes are made of: the same that variables are. */
export type VolumeSources = EnvSources;

/** The content of a volume that is made of objects; undefined for a volume that is a folder. */
export function volumeContent(volume: Volume, sources: VolumeSources): VolumeContent | undefined {
  const { configMap, secret, downwardAPI, projected } = volume;
  if (configMap) return contentOf([{ configMap }], configMap.defaultMode, sources);
  if (secret) {
    const { secretName, ...rest } = secret;
    const named = { ...rest, ...(secretName === undefined ? {} : { name: secretName }) };
    return contentOf([{ secret: named }], secret.defaultMode, sources);
  }
  if (downwardAPI) return contentOf([{ downwardAPI }], downwardAPI.defaultMode, sources);
  if (projected) return contentOf(projected.sources ?? [], projected.defaultMode, sources);
  return undefined;
}

function contentOf(
  from: readonly ProjectedSource[],
  defaultMode: number | undefined,
  sources: VolumeSources,
): VolumeContent {
  const files = new Map<string, VolumeFile>();
  for (const source of from) {
    const found = filesOf(source, defaultMode ?? 0o644, sources);
    if (typeof found === 'string') return { problem: found };
    for (const [path, file] of found) {
      if (leadsOut(path)) return { problem: `invalid path "${path}": it must stay in the volume` };
      files.set(path, file);
    }
  }
  return { files };
}

type Found = readonly (readonly [string, VolumeFile])[] | string;

function filesOf(source: ProjectedSource, mode: number, sources: VolumeSources): Found {
  const { configMap, secret, downwardAPI, serviceAccountToken } = source;
  if (configMap) return keysOf('ConfigMap', configMap, mode, sources);
  if (secret) return keysOf('Secret', secret, mode, sources);
  if (downwardAPI) return (downwardAPI.items ?? []).map(item => ownFile(item, mode, sources));
  // There is no API server that would know a token.
  if (serviceAccountToken) return [[serviceAccountToken.path, { bytes: Buffer.alloc(0), mode }]];
  return [];
}

function ownFile(item: DownwardItem, mode: number, { pod, where, capacity }: VolumeSources) {
  const [first] = pod.spec.containers;
  const text = item.fieldRef
    ? fieldValue(item.fieldRef, pod, where)
    : item.resourceFieldRef && first && resourceValue(item.resourceFieldRef, first, pod, capacity);
  return [item.path, { bytes: Buffer.from(text ?? ''), mode: item.mode ?? mode }] as const;
}

interface Named {
  readonly name?: string;
  readonly items?: readonly KeyToPath[];
  readonly optional?: boolean;
}

function keysOf(
  kind: 'ConfigMap' | 'Secret',
  { name = '', items, optional = false }: Named,
  mode: number,
  sources: VolumeSources,
): Found {
  const object = kind === 'ConfigMap' ? sources.configMap(name) : sources.secret(name);
  if (!object) return optional ? [] : `${kind.toLowerCase()} "${name}" not found`;
  const data = bytesOf(object);
  if (!items) return [...data].map(([key, bytes]) => [key, { bytes, mode }]);
  const missing = items.find(item => !data.has(item.key));
  if (missing && !optional) {
    const what =
      kind === 'ConfigMap' ? 'configmap references non-existent config' : 'references non-existent secret';
    return `${what} key: ${missing.key}`;
  }
  return items.flatMap(item => {
    const bytes = data.get(item.key);
    return bytes ? [[item.path, { bytes, mode: item.mode ?? mode }] as const] : [];
  });
}

function bytesOf(object: StoredObject): ReadonlyMap<string, Buffer> {
  const entries = (field: string, encoding: BufferEncoding) =>
    Object.entries((object[field] ?? {}) as Readonly<Record<string, string>>).map(
      ([key, text]) => [key, Buffer.from(text, encoding)] as const,
    );
  if (object.kind === 'Secret') return new Map(entries('data', 'base64'));
  return new Map([...entries('data', 'utf8'), ...entries('binaryData', 'base64')]);
}

/** A path that is not below the volume. */
function leadsOut(path: string): boolean {
  return path === '' || path.startsWith('/') || path.startsWith('..') || path.split('/').includes('..');
}
