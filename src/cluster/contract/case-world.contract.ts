import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { apiVersion } from '../../api/group.ts';
import type {
  Cluster,
  ClusterObject,
  Metadata,
  ObjectRef,
  ObjectType,
  Selection,
  StoredObject,
  WatchEvent,
} from '../cluster.ts';
import { ClusterError, type ClusterReason } from '../cluster-error.ts';
import type { ContractCluster } from './contract-cluster.ts';

export const recordType: ObjectType = { apiVersion, kind: 'OpenstackDeployment' };
export const phaseType: ObjectType = { apiVersion, kind: 'InstallPhase' };
export const configMapType: ObjectType = { apiVersion: 'v1', kind: 'ConfigMap' };
export const namespaceType: ObjectType = { apiVersion: 'v1', kind: 'Namespace' };

export const keystone = { name: 'keystone', version: '27.0.0' };
export const glance = { name: 'glance', version: '30.0.0' };

/** What one case sees: the cluster, and ways to say shortly what many cases say. Names differ from case to case. */
export class CaseWorld {
  readonly given: ContractCluster;
  readonly cluster: Cluster;
  readonly namespace: string;
  /** The name of the case; its objects carry it as the label `case`. */
  readonly id: string;
  readonly #watches: AbortController[] = [];

  constructor(given: ContractCluster, id: string) {
    this.given = given;
    this.cluster = given.cluster;
    this.namespace = given.namespace;
    this.id = id;
  }

  /** Ends what the case left open. */
  end(): void {
    for (const watch of this.#watches) watch.abort();
  }

  /** The objects of this case and no others. */
  get mine(): Selection {
    return { namespace: this.namespace, labelSelector: `case=${this.id}` };
  }

  name(suffix = 'one'): string {
    return `${this.id}-${suffix}`;
  }

  ref(type: ObjectType, suffix = 'one'): ObjectRef {
    return { ...type, namespace: this.namespace, name: this.name(suffix) };
  }

  object(type: ObjectType, suffix: string, content: object, metadata: Metadata = {}): ClusterObject {
    const labels = { case: this.id, ...metadata.labels };
    return {
      ...type,
      metadata: { namespace: this.namespace, name: this.name(suffix), ...metadata, labels },
      ...content,
    };
  }

  /** A record that is not created yet. */
  record(suffix = 'one', spec: object = { services: [keystone] }, metadata: Metadata = {}): ClusterObject {
    return this.object(recordType, suffix, { spec }, metadata);
  }

  phase(suffix = 'one', more: object = {}, metadata: Metadata = {}): ClusterObject {
    const spec = { source: { type: 'tar', location: '/charts/keystone' }, openstackServiceName: 'keystone' };
    return this.object(phaseType, suffix, { spec: { ...spec, ...more } }, metadata);
  }

  configMap(suffix = 'one', data: object = { a: '1' }, metadata: Metadata = {}): ClusterObject {
    return this.object(configMapType, suffix, { data }, metadata);
  }

  create(object: ClusterObject): Promise<StoredObject> {
    return this.cluster.create(object);
  }

  /** The object as it is now. */
  now(object: ClusterObject): Promise<StoredObject> {
    return this.cluster.get(refOf(object));
  }

  /** Waits until the object is not there any more. */
  gone(object: ClusterObject): Promise<void> {
    return eventually(`${object.metadata.name} is gone`, async () => {
      const error = await this.cluster.get(refOf(object)).catch(caught => caught);
      return error instanceof ClusterError && error.reason === 'NotFound';
    });
  }

  /** A watch whose events are kept; it ends with the case. Without `selection`: the objects of this case. */
  watch(type: ObjectType, from?: string, selection: Selection = this.mine): SeenEvents {
    const controller = new AbortController();
    this.#watches.push(controller);
    const options = { ...selection, ...(from === undefined ? {} : { resourceVersion: from }) };
    return new SeenEvents(this.cluster.watch(type, { ...options, signal: controller.signal }), controller);
  }

  /** The moment of now, for a watch from here. */
  async moment(type: ObjectType): Promise<string> {
    return (await this.cluster.list(type, { namespace: this.namespace, limit: 1 })).resourceVersion;
  }
}

/** What a watch has shown until now. */
export class SeenEvents {
  readonly all: WatchEvent[] = [];
  /** Resolves when the watch has ended, with what it threw. */
  readonly ended: Promise<unknown>;
  readonly #controller: AbortController;

  constructor(events: AsyncIterable<WatchEvent>, controller: AbortController) {
    this.#controller = controller;
    this.ended = this.#read(events);
  }

  /** Type and name of each event but bookmarks, in order. */
  get steps(): string[] {
    return this.changes.map(
      ({ type, object }) => `${type} ${object.metadata.name?.replace(/^case-\d+-/, '')}`,
    );
  }

  get changes(): WatchEvent[] {
    return this.all.filter(event => event.type !== 'BOOKMARK');
  }

  /** Waits until so many events were seen, and then that there are no more. */
  async expectSteps(steps: readonly string[]): Promise<void> {
    await eventually(`${steps.length} events`, async () => this.changes.length >= steps.length).catch(
      () => {},
    );
    expect(this.steps).toEqual(steps);
  }

  stop(): void {
    this.#controller.abort();
  }

  async #read(events: AsyncIterable<WatchEvent>): Promise<unknown> {
    try {
      for await (const event of events) this.all.push(event);
      return undefined;
    } catch (error) {
      return error;
    }
  }
}

/** The refusal of a request that must be refused for that reason, or for one of them where a real server is odd. */
export async function refusal(
  reason: ClusterReason | readonly ClusterReason[],
  asked: Promise<unknown>,
): Promise<ClusterError> {
  const answer = await asked.then(
    value => value,
    error => error,
  );
  if (!(answer instanceof ClusterError)) {
    expect(answer, `must be refused as ${reason}`).toBeInstanceOf(ClusterError);
    throw answer;
  }
  expect([reason].flat(), answer.message).toContain(answer.reason);
  return answer;
}

/** The fields an error names, in order of text, each once. */
export function fieldsOf(error: ClusterError): string[] {
  return [...new Set(error.causes.map(cause => cause.field))].sort();
}

/** Asks until it is so. A real cluster takes half a minute until it collects the garbage of a new kind. */
export async function eventually(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 90_000;
  while (!(await isSo())) {
    expect(performance.now(), `${what}: not within 90 s`).toBeLessThan(end);
    await sleep(20);
  }
}

export function refOf({ apiVersion: version, kind, metadata }: ClusterObject): ObjectRef {
  const { name = '', namespace } = metadata;
  return { apiVersion: version, kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

/** The order of two versions, as numbers of any length. */
export function versionOf(object: ClusterObject): bigint {
  return BigInt(object.metadata.resourceVersion ?? '0');
}

/** The managers of an object with what they did: `apply helm`, `update kubectl status`. */
export function managersOf(object: ClusterObject): string[] {
  return (object.metadata.managedFields ?? [])
    .map(({ manager, operation, subresource }) =>
      [String(operation).toLowerCase(), manager, subresource].filter(Boolean).join(' '),
    )
    .sort();
}
