import { isObject } from '../../base/json.ts';
import type { ClusterObject, ObjectRef, ObjectType } from '../cluster.ts';
import { ClusterError, isReason } from '../cluster-error.ts';
import { requireNamespaceName, requireRef, requireType } from '../request-door.ts';

/** Where the objects of a kind are, by what the server says of itself. */
export interface Resource {
  /** The plural in the path. */
  readonly name: string;
  readonly namespaced: boolean;
}

/** Reads a path of the API server. */
export type ReadJson = (path: string) => Promise<unknown>;

/**
 * From kind to path, as the server has it. What was learnt of an API version is kept; a kind that is not in it makes us
 * ask again, because a CRD may have come meanwhile.
 */
export class Discovery {
  readonly #read: ReadJson;
  readonly #known = new Map<string, Promise<ReadonlyMap<string, Resource>>>();

  constructor(read: ReadJson) {
    this.#read = read;
  }

  /** Throws `NotFound` for a kind the server does not serve. */
  async resourceOf(type: ObjectType): Promise<Resource> {
    requireType(type);
    const { apiVersion, kind } = type;
    const known = this.#known.get(apiVersion);
    const remembered = known && (await known.catch(() => undefined))?.get(kind);
    const resource = remembered ?? (await this.#learn(apiVersion)).get(kind);
    if (resource) return resource;
    throw new ClusterError('NotFound', `the cluster does not serve ${kind} of ${apiVersion}`);
  }

  /** What is known of an API version is not believed any more. */
  forget(apiVersion: string): void {
    this.#known.delete(apiVersion);
  }

  async #learn(apiVersion: string): Promise<ReadonlyMap<string, Resource>> {
    const asked = this.#ask(apiVersion);
    this.#known.set(apiVersion, asked);
    try {
      return await asked;
    } catch (error) {
      if (this.#known.get(apiVersion) === asked) this.#known.delete(apiVersion);
      throw error;
    }
  }

  async #ask(apiVersion: string): Promise<ReadonlyMap<string, Resource>> {
    try {
      return resourcesIn(await this.#read(groupPath(apiVersion)));
    } catch (error) {
      // A group that is not there has no kinds; everything else is trouble.
      if (isReason(error, 'NotFound')) return new Map();
      throw error;
    }
  }
}

/** `/api/v1` or `/apis/<group>/<version>`. */
export function groupPath(apiVersion: string): string {
  return `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion.split('/').map(encodeURIComponent).join('/')}`;
}

/** The path of a kind's collection; of one namespace, or of all. Throws `BadRequest` for a name that would lead elsewhere. */
export function collectionPath(type: ObjectType, resource: Resource, namespace: string | undefined): string {
  requireNamespaceName(namespace);
  const inside = resource.namespaced && namespace ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${groupPath(type.apiVersion)}${inside}/${resource.name}`;
}

/** The path a new object is sent to. Throws `BadRequest` where the namespace is missing. */
export function creationPath(object: ClusterObject, resource: Resource): string {
  const { namespace, name, generateName } = object.metadata;
  requireNamespace(object, name ?? generateName ?? '', namespace, resource);
  return collectionPath(object, resource, namespace);
}

/** The path of one object. Throws `BadRequest` where a name or a namespace is missing or odd: the path would be another one. */
export function objectPath(ref: ObjectRef, resource: Resource): string {
  requireRef(ref);
  requireNamespace(ref, ref.name, ref.namespace, resource);
  return `${collectionPath(ref, resource, ref.namespace)}/${encodeURIComponent(ref.name)}`;
}

function requireNamespace(
  { kind }: ObjectType,
  name: string,
  namespace: string | undefined,
  resource: Resource,
): void {
  if (resource.namespaced && !namespace)
    throw new ClusterError('BadRequest', `the ${kind} ${name} needs a namespace`);
}

function resourcesIn(body: unknown): ReadonlyMap<string, Resource> {
  const list = isObject(body) && Array.isArray(body['resources']) ? body['resources'] : [];
  const found = new Map<string, Resource>();
  for (const one of list) {
    if (!isObject(one)) continue;
    const { name, kind, namespaced } = one;
    // `pods/status` and its like are parts of a resource.
    if (typeof name !== 'string' || typeof kind !== 'string' || name.includes('/')) continue;
    if (!found.has(kind)) found.set(kind, { name, namespaced: namespaced === true });
  }
  return found;
}
