import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { managedBy, managedByLabel, phaseLabel } from '../../api/labels.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Cluster, ClusterObject, StoredObject } from '../../cluster/cluster.ts';
import type { Driver, DriverReport, DriverState, Drivers } from '../driver.ts';

/** A place where objects become processes, ready for the suite. The worlds of the runtime's own suite are such places. */
export interface DriverWorld {
  readonly cluster: Cluster;
  /** The name of an image with a shell and `sleep`. It never has to be pulled. */
  readonly image: string;
  /** A ResourceQuota is kept. */
  readonly hasQuotas?: boolean;
  /** A namespace with nothing in it, in which Pods can be created. The suite deletes it. */
  makeNamespace(): Promise<string>;
  /** What a container has written so far; rejects when there was no such run. */
  logs(of: { readonly namespace: string; readonly pod: string; readonly container: string }): Promise<string>;
  /** Frees everything; called once, after the last case. */
  close(): Promise<void>;
}

/** Far more than anything takes: the machine may be busy with something else. */
const patienceSeconds = 150;

/** The labels of what one phase writes. */
export const ours = { [managedByLabel]: managedBy, [phaseLabel]: 'install-1' };

/** What one case sees: a namespace of its own, and the drivers of a world. */
export class DriverCase {
  readonly cluster: Cluster;
  readonly image: string;
  readonly namespace: string;
  readonly #drivers: Drivers;

  constructor(world: DriverWorld, drivers: Drivers, namespace: string) {
    this.cluster = world.cluster;
    this.image = world.image;
    this.namespace = namespace;
    this.#drivers = drivers;
  }

  /** An object of ours in the namespace of the case. */
  object(
    kind: string,
    name: string,
    more: JsonObject & { readonly apiVersion?: string },
    annotations: Readonly<Record<string, string>> = {},
  ): ClusterObject {
    const { apiVersion = 'v1', ...rest } = more;
    return {
      apiVersion,
      kind,
      metadata: { name, namespace: this.namespace, labels: ours, annotations },
      ...rest,
    };
  }

  /** A container of the world's image that runs a script. */
  runs(...script: readonly string[]): JsonObject {
    return { name: 'main', image: this.image, command: ['sh', '-c', script.join('\n')] };
  }

  /** The spec of Pods with one container that end at once when they are told to. */
  pods(container: JsonObject, more: JsonObject = {}): JsonObject {
    return { terminationGracePeriodSeconds: 1, containers: [container], ...more };
  }

  /** A Job that is not tried again. */
  job(name: string, container: JsonObject, more: JsonObject = {}): ClusterObject {
    const template = { spec: this.pods(container, { restartPolicy: 'Never' }) };
    return this.object('Job', name, { apiVersion: 'batch/v1', spec: { backoffLimit: 0, template, ...more } });
  }

  /** Something that keeps Pods running. */
  workload(kind: string, name: string, container: JsonObject, more: JsonObject = {}): ClusterObject {
    const template = { metadata: { labels: { app: name } }, spec: this.pods(container) };
    const spec = { selector: { matchLabels: { app: name } }, template, ...more };
    return this.object(kind, name, { apiVersion: 'apps/v1', spec });
  }

  driver(object: ClusterObject): Driver {
    return this.#drivers.for(object);
  }

  apply(object: ClusterObject): Promise<void> {
    return this.driver(object).apply(object);
  }

  observe(object: ClusterObject): Promise<DriverReport> {
    return this.driver(object).observe(object);
  }

  /** Asks until the report is in the state; another end than that is a failure at once. */
  async until(object: ClusterObject, state: DriverState, reason?: string): Promise<DriverReport> {
    return this.eventually(
      `${object.kind} ${object.metadata.name} is ${state} ${reason ?? ''}`,
      () => this.observe(object),
      report => {
        const isEnd = report.state === 'done' || report.state === 'failed';
        if (isEnd) expect(report).toMatchObject({ state });
        return report.state === state && (reason === undefined || report.reason === reason);
      },
    );
  }

  /** Applies the object and asks until it is in the state. */
  async becomes(object: ClusterObject, state: DriverState, reason?: string): Promise<DriverReport> {
    await this.apply(object);
    return this.until(object, state, reason);
  }

  /** Removes the object, again and again, until it is gone. */
  async removed(object: ClusterObject): Promise<void> {
    await this.eventually(
      `${object.kind} ${object.metadata.name} is gone`,
      () => this.driver(object).remove(object),
      answer => answer === 'gone',
    );
  }

  /** What is there of a kind. */
  async all(apiVersion: string, kind: string): Promise<readonly StoredObject[]> {
    return (await this.cluster.list({ apiVersion, kind }, { namespace: this.namespace })).items;
  }

  /** Asks until the answer is as expected. */
  async eventually<T>(what: string, ask: () => Promise<T>, isSo: (answer: T) => boolean): Promise<T> {
    const end = performance.now() + patienceSeconds * 1000;
    for (;;) {
      const answer = await ask();
      if (isSo(answer)) return answer;
      if (performance.now() > end)
        throw new Error(`${what}: not within ${patienceSeconds} s; last: ${JSON.stringify(answer)}`);
      await sleep(200);
    }
  }
}

/** Cases about one thing; the key is the sentence that must be true. */
export type DriverCases = Readonly<Record<string, (run: DriverCase) => Promise<void>>>;

/** A script's last line: says that it is up, and waits to be told to end. */
export const untilTold = 'trap "exit 0" TERM; echo up; sleep 100000 & wait';
