import { ClusterError } from '../../cluster/cluster-error.ts';

/** Objects of one kind, or one of them, or a part of it. */
export interface ObjectsRoute {
  readonly is: 'objects';
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
}

/** What a path leads to. */
export type Route =
  | { readonly is: 'core versions' }
  | { readonly is: 'groups' }
  | { readonly is: 'group'; readonly group: string }
  | { readonly is: 'resources'; readonly group: string; readonly version: string }
  | { readonly is: 'open api'; readonly version: string; readonly path: string }
  | ObjectsRoute;

/** Words after a Namespace's name that are parts of it and no kinds in it. */
const namespaceParts = ['status', 'finalize'];

/** Reads a path without its query; undefined where it can lead to nothing. Throws `BadRequest` for one that is no text. */
export function parseRoute(path: string): Route | undefined {
  const [root, ...rest] = segmentsOf(path);
  if (rest.includes('')) return undefined;
  if (root === 'api') {
    const [version, ...below] = rest;
    if (version === undefined) return { is: 'core versions' };
    return below.length === 0 ? { is: 'resources', group: '', version } : objects('', version, below);
  }
  if (root === 'openapi') {
    const [version, ...below] = rest;
    return version === undefined ? undefined : { is: 'open api', version, path: below.join('/') };
  }
  if (root !== 'apis') return undefined;
  const [group, version, ...below] = rest;
  if (group === undefined) return { is: 'groups' };
  if (version === undefined) return { is: 'group', group };
  return below.length === 0 ? { is: 'resources', group, version } : objects(group, version, below);
}

function segmentsOf(path: string): string[] {
  try {
    return path.replace(/^\//, '').replace(/\/$/, '').split('/').map(decodeURIComponent);
  } catch (cause) {
    throw new ClusterError('BadRequest', 'the path of the request is no text', { cause });
  }
}

function objects(group: string, version: string, below: readonly string[]): ObjectsRoute | undefined {
  const [first = '', second, third = '', ...others] = below;
  const isInside =
    first === 'namespaces' && below.length > 2 && !(group === '' && namespaceParts.includes(third));
  const [plural = '', name, subresource, ...tooMany] = isInside ? [third, ...others] : below;
  if (tooMany.length > 0) return undefined;
  return {
    is: 'objects',
    group,
    version,
    plural,
    ...(isInside && second !== undefined ? { namespace: second } : {}),
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
  };
}
