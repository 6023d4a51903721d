import { isObject, type JsonObject } from '../../base/json.ts';
import type {
  Account,
  Cluster,
  ClusterObject,
  DeleteOptions,
  ListOptions,
  ObjectList,
  ObjectRef,
  ObjectType,
  Patch,
  PatchOptions,
  StoredObject,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from '../cluster.ts';
import { ClusterError, isReason } from '../cluster-error.ts';
import type { LogQuery, LogSource } from '../pod-log.ts';
import { copyJson, copyObjectOfType } from '../request-door.ts';
import type { Access } from './access/access.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { collectionPath, creationPath, Discovery, objectPath } from './discovery.ts';
import { type Query, selectionQuery, withQuery } from './query.ts';
import { watchEvents } from './watch-events.ts';

export interface KubernetesClusterOptions extends ConnectionOptions {
  /** Who writes, where a call does not say. */
  readonly fieldManager?: string;
  /** After how long a watch is begun anew at the latest; at the earliest after half of that. */
  readonly watchSeconds?: number;
}

/** What the copies of a cluster share that act for other accounts. */
interface Shared {
  readonly connection: Connection;
  readonly discovery: Discovery;
  readonly fieldManager: string;
  readonly watchSeconds: number;
  readonly random: () => number;
}

const patchTypes = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml', // JSON is YAML
} as const;

/** The objects of a real API server. What is repeated by itself and what is not is said at `Connection`. */
export class KubernetesCluster implements Cluster {
  readonly #shared: Shared;
  readonly #account: Account | undefined;

  private constructor(shared: Shared, account?: Account) {
    this.#shared = shared;
    this.#account = account;
  }

  /** Connects when the first request is made. */
  static to(access: Access, options: KubernetesClusterOptions = {}): KubernetesCluster {
    const connection = new Connection(access, options);
    return new KubernetesCluster({
      connection,
      discovery: new Discovery(path => connection.request({ method: 'GET', path })),
      fieldManager: options.fieldManager ?? 'afloat',
      watchSeconds: options.watchSeconds ?? 600,
      random: options.clock?.random ?? Math.random,
    });
  }

  async get(ref: ObjectRef): Promise<StoredObject> {
    return this.#send('GET', ref, await this.#pathOf(ref));
  }

  async list(type: ObjectType, options: ListOptions = {}): Promise<ObjectList> {
    const path = withQuery(await this.#collectionOf(type, options.namespace), {
      ...selectionQuery(options),
      limit: options.limit,
      continue: options.continue,
    });
    const answer = await this.#request('GET', type, path);
    const { items, metadata } = listIn(answer, type);
    return {
      // A list leaves out of its items what is the same for all of them.
      items: (items ?? []).map(item => ({ ...item, apiVersion: type.apiVersion, kind: type.kind })),
      resourceVersion: metadata.resourceVersion,
      ...(metadata.continue ? { continue: metadata.continue } : {}),
    };
  }

  async *watch(type: ObjectType, options: WatchOptions = {}): AsyncGenerator<WatchEvent> {
    const path = withQuery(await this.#collectionOf(type, options.namespace), {
      ...selectionQuery(options),
      watch: true,
      allowWatchBookmarks: true,
      resourceVersion: options.resourceVersion,
      // Watches that began together, after a restart of the server, shall not all end together.
      timeoutSeconds: Math.ceil((this.#shared.watchSeconds * (1 + this.#shared.random())) / 2),
    });
    const request = { method: 'GET', path, account: this.#account } as const;
    yield* watchEvents(this.#shared.connection.stream(request, options.signal));
  }

  async create(object: ClusterObject, options: WriteOptions = {}): Promise<StoredObject> {
    const sent = copyObjectOfType(object);
    const path = creationPath(sent, await this.#shared.discovery.resourceOf(sent));
    return this.#send('POST', sent, withQuery(path, this.#writeQuery(options)), sent);
  }

  async update(object: ClusterObject, options: WriteOptions = {}): Promise<StoredObject> {
    const sent = copyObjectOfType(object);
    const path = await this.#pathOf(refOf(sent));
    return this.#send('PUT', sent, withQuery(path, this.#writeQuery(options)), sent);
  }

  async updateStatus(object: ClusterObject, options: WriteOptions = {}): Promise<StoredObject> {
    const sent = copyObjectOfType(object);
    const path = `${await this.#pathOf(refOf(sent))}/status`;
    return this.#send('PUT', sent, withQuery(path, this.#writeQuery(options)), sent);
  }

  async patch(ref: ObjectRef, given: Patch, options: PatchOptions = {}): Promise<StoredObject> {
    const patch = copyJson(given);
    const path = await this.#pathOf(ref);
    const query: Query = {
      ...this.#writeQuery(options),
      ...(patch.type === 'apply' ? { fieldManager: patch.fieldManager, force: patch.force } : {}),
    };
    const at = withQuery(options.subresource ? `${path}/${options.subresource}` : path, query);
    return this.#send('PATCH', ref, at, patch.value, patchTypes[patch.type]);
  }

  /**
   * The server answers a delete that is done at once with a mere success, so the object is read first, and only that
   * very one is deleted.
   */
  async delete(ref: ObjectRef, options: DeleteOptions = {}): Promise<StoredObject> {
    for (let tries = 0; ; tries++) {
      const there = await this.get(ref);
      const preconditions = { uid: there.metadata.uid, ...options.preconditions };
      try {
        const answer = await this.#request('DELETE', ref, await this.#pathOf(ref), {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          preconditions,
          ...(options.propagation ? { propagationPolicy: options.propagation } : {}),
          ...(options.gracePeriodSeconds === undefined
            ? {}
            : { gracePeriodSeconds: options.gracePeriodSeconds }),
          ...(options.dryRun ? { dryRun: ['All'] } : {}),
        });
        return answer['kind'] === 'Status' ? there : (answer as unknown as StoredObject);
      } catch (error) {
        // Deleted and made again between the two: the caller did not ask for the one that was read.
        const isOurs = options.preconditions?.uid === undefined && isReason(error, 'Conflict');
        if (!isOurs || tries > 2 || (await this.get(ref)).metadata.uid === there.metadata.uid) throw error;
      }
    }
  }

  /** What a container wrote. Ends when the server or the signal ends it; nothing is repeated by itself. */
  async *podLogs(of: LogSource, query: LogQuery = {}): AsyncGenerator<Buffer> {
    const { namespace, pod: name, container } = of;
    const path = await this.#pathOf({ apiVersion: 'v1', kind: 'Pod', namespace, name });
    const { tailLines, since, timestamps, follow, previous, signal } = query;
    const sinceTime = since?.toISOString();
    const asked = { container, tailLines, sinceTime, timestamps, follow, previous };
    const at = withQuery(`${path}/log`, asked);
    yield* this.#shared.connection.bytes({ method: 'GET', path: at, account: this.#account }, signal);
  }

  as(account: Account): KubernetesCluster {
    return new KubernetesCluster(this.#shared, account);
  }

  /** Ends all connections, also those of the copies for other accounts. */
  close(): Promise<void> {
    return this.#shared.connection.close();
  }

  #writeQuery({ fieldManager, dryRun, fieldValidation }: WriteOptions): Query {
    return {
      fieldManager: fieldManager ?? this.#shared.fieldManager,
      fieldValidation,
      dryRun: dryRun ? 'All' : undefined,
    };
  }

  async #collectionOf(type: ObjectType, namespace: string | undefined): Promise<string> {
    return collectionPath(type, await this.#shared.discovery.resourceOf(type), namespace);
  }

  async #pathOf(ref: ObjectRef): Promise<string> {
    return objectPath(ref, await this.#shared.discovery.resourceOf(ref));
  }

  async #send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    type: ObjectType,
    path: string,
    body?: unknown,
    contentType?: string,
  ): Promise<StoredObject> {
    const answer = await this.#request(method, type, path, body, contentType);
    if (isObject(answer['metadata']) && answer['kind'] !== 'Status') return answer as unknown as StoredObject;
    throw unexpected(type, 'no object', method !== 'GET');
  }

  async #request(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    type: ObjectType,
    path: string,
    body?: unknown,
    contentType?: string,
  ): Promise<JsonObject> {
    const more = contentType === undefined ? {} : { contentType };
    try {
      return await this.#shared.connection.request({ method, path, body, account: this.#account, ...more });
    } catch (error) {
      // These are the words for a path that is not served: not the object is missing, its kind is gone.
      if (isReason(error, 'NotFound') && error.message === '404 page not found')
        this.#shared.discovery.forget(type.apiVersion);
      throw error;
    }
  }
}

/** A list as a server answers it. */
function listIn({ items, metadata }: JsonObject, type: ObjectType) {
  const { resourceVersion, continue: next } = isObject(metadata) ? metadata : {};
  const isList = items === undefined || items === null || Array.isArray(items);
  if (typeof resourceVersion !== 'string' || !isList) throw unexpected(type, 'no list');
  return {
    items: items as unknown as readonly StoredObject[] | null | undefined,
    metadata: { resourceVersion, continue: typeof next === 'string' ? next : '' },
  };
}

/** A success that is something else than what was asked for. */
function unexpected({ kind }: ObjectType, what: string, isWrite = false): ClusterError {
  const more = isWrite ? '; what was asked for may have been done' : '';
  return new ClusterError('InternalError', `the server answered with ${what} when asked for ${kind}${more}`);
}

function refOf({ apiVersion, kind, metadata }: ClusterObject): ObjectRef {
  const { name, namespace } = metadata;
  if (name === undefined) throw new ClusterError('BadRequest', `a ${kind} without a name`);
  return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
}
