/**
 * A cloud for journeys: the engine in this process, real programs in real processes, on this machine alone or on a real node.
 *
 * A journey makes packages (`aPackage`), applies a record (`apply`), lets plans begin (`approve`), waits (`until...`) and then looks at
 * the world: files, rows, processes, requests, and the words of status. `close` takes everything down and fails where a process is left,
 * or where conditions contradicted each other at any moment.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ClientLoad, startLoad } from '../../../scripts/start/client-load.ts';
import type { FlowEnd } from '../../../src/api/flow-kinds.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import type { Cluster, ObjectType, StoredObject } from '../../../src/cluster/cluster.ts';
import type { Engine } from '../../../src/controller/engine.ts';
import {
  byAge,
  type FlowObject,
  flowType,
  type PhaseObject,
  type PlanObject,
  phaseTypes,
  planType,
  type RecordObject,
  type RevisionObject,
  recordType,
  revisionType,
} from '../../../src/controller/our-objects.ts';
import type { AskedFor } from '../../../src/controller/record/plan-cloud.ts';
import { pushPackages } from '../../../src/controller/store/push-packages.ts';
import { packageDigest } from '../../../src/package/package-digest.ts';
import { openSource } from '../../../src/package/source/open-source.ts';
import { type PackageWish, writePackage } from './a-package.ts';
import { planOf } from './ask-for.ts';
import { DataFolder } from './data-folder.ts';
import { embeddedPlace, type JourneyPlace, journeyPerson, type PlaceManager } from './journey-place.ts';
import { watchConditions } from './watch-conditions.ts';

/** A record without what is the same in every journey. `services` as in a record; everything else goes over the defaults. */
export type RecordWish = { readonly services: readonly JsonObject[] } & JsonObject;

/** Who answers at the address of a service. */
export interface Answerer {
  readonly version: string;
  readonly slice: string;
  readonly setting: string;
  readonly pid: number;
}

const recordName = 'cloud';

/** Opens a world of its own, in a folder that is gone after `close`. On this machine alone unless told. */
export async function openJourneyWorld(
  openPlace: (folder: string) => JourneyPlace | Promise<JourneyPlace> = folder => embeddedPlace(folder),
): Promise<JourneyWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'afloat-journey-'));
  const world = new JourneyWorld(folder, await openPlace(folder));
  await world.start();
  return world;
}

/** Longer than any story takes wherever it is told: what hangs is found by `until`, which says where everything is. */
export const storyMs = 900_000;

/** What opens a world: stories are told in whichever they are given. */
export type OpenWorld = () => Promise<JourneyWorld>;

export class JourneyWorld {
  readonly recordName = recordName;
  readonly folder: string;
  readonly place: JourneyPlace;
  /** Rows, ledger and faults: what the programs read and write. */
  readonly data: DataFolder;
  /** Everything that went wrong and was tried again. */
  readonly troubles: string[] = [];
  readonly #packages = new Map<string, { name: string; version: string }>();
  readonly #told = new Set<string>();
  readonly #loads: ClientLoad[] = [];
  #stop = new AbortController();
  #opened: (PlaceManager & { readonly contradictions: () => readonly string[] }) | undefined;

  constructor(folder: string, place: JourneyPlace) {
    this.folder = folder;
    this.place = place;
    mkdirSync(join(folder, 'data'));
    this.data = new DataFolder(join(folder, 'data'));
  }

  get namespace(): string {
    return this.place.namespace;
  }

  get cluster(): Cluster {
    return this.#at().cluster;
  }

  /** The cluster as it is for who writes records and gives a word. */
  get person(): Cluster {
    const { person, cluster } = this.#at();
    return person ?? cluster;
  }

  get engine(): Engine {
    const { engine } = this.#at();
    if (!engine) throw new TypeError('the manager is another process');
    return engine;
  }

  #at() {
    if (!this.#opened) throw new TypeError('the world is not open');
    return this.#opened;
  }

  /** Starts the manager; again after `stop`, where it takes up what runs. */
  async start(): Promise<void> {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const onTrouble = (doing: string, error: unknown) =>
      this.troubles.push(`${doing}: ${error instanceof Error ? error.stack : String(error)}`);
    const manager = await this.place.start({ signal, onTrouble });
    const contradictions = watchConditions(manager.cluster, this.namespace, signal);
    this.#opened = { ...manager, contradictions };
  }

  /** Ends the manager; the processes of pods run on. */
  async stop(): Promise<void> {
    const { ended, contradictions } = this.#at();
    this.#stop.abort();
    await ended;
    this.#opened = undefined;
    const found = contradictions();
    if (found.length > 0) throw new TypeError(`conditions contradict each other:\n${found.join('\n')}`);
  }

  /** Makes a package, or makes another one of it. It is in the cluster after the next `apply`. */
  aPackage(name: string, version: string, wish: PackageWish = {}): void {
    writePackage(join(this.folder, 'packages', name, version), { name, version, place: this.place }, wish);
    this.#packages.set(`${name}@${version}`, { name, version });
  }

  /** Takes a package as it lies in a folder. It is in the cluster after the next `apply`. */
  takePackage(from: string, name: string, version: string): void {
    cpSync(from, join(this.folder, 'packages', name, version), { recursive: true });
    this.#packages.set(`${name}@${version}`, { name, version });
  }

  /** Brings all packages into the cluster and applies the record, as `afloat apply` does. Gives its generation. */
  async apply(wish: RecordWish): Promise<number> {
    await this.push();
    return this.putRecord(wish);
  }

  /** Writes the record alone: its packages are in the cluster. Gives its generation. */
  async putRecord({ services, ...more }: RecordWish): Promise<number> {
    const object = await this.person.patch(
      { ...recordType, namespace: this.namespace, name: recordName },
      {
        type: 'apply',
        fieldManager: 'journey',
        force: true,
        value: recordOf(this.namespace, this.data.folder, { services, ...this.place.record, ...more }),
      },
    );
    return object.metadata.generation ?? 0;
  }

  /** Brings all packages into the cluster. */
  async push(): Promise<void> {
    const source = openSource(this.folder);
    const pushed = [];
    for (const { name, version } of this.#packages.values()) {
      const from = { type: 'local' as const, location: `packages/${name}/${version}` };
      const read = await source.read(from);
      if (!read.ok) throw new TypeError(JSON.stringify(read.findings));
      pushed.push({ source: from, files: read.files, digest: packageDigest(read.files) });
      for (const image of imagesIn(join(this.folder, from.location))) await this.place.image(image);
    }
    await pushPackages(this.person, this.namespace, pushed);
  }

  /** Waits for a plan that a person must approve, and approves all of them with every consent they ask for. Gives their names. */
  async approve(seconds = 30): Promise<string[]> {
    const open = await this.until(
      'a plan to approve',
      async () => {
        const { generation } = (await this.record()).metadata;
        const plans = (await this.plans()).filter(
          ({ spec, status }) =>
            !spec.approval &&
            status?.state === 'WaitingForApproval' &&
            (spec.holds || spec.recordGeneration === generation),
        );
        return plans.length > 0 ? plans : undefined;
      },
      seconds,
    );
    for (const plan of open) await this.approvePlan(plan);
    return open.map(({ metadata }) => metadata.name);
  }

  /** Approves one plan, with every consent it asks for unless others are named. */
  async approvePlan(
    plan: PlanObject,
    more: { readonly expiresAt?: string; readonly consents?: readonly JsonObject[] } = {},
  ): Promise<void> {
    const { digest, plan: made } = plan.spec;
    const consents = made.steps.flatMap(step => step.consents.map(consent => ({ step: step.id, consent })));
    const approvedAt = new Date().toISOString();
    const approval = { digest, approvedBy: journeyPerson, approvedAt, consents, ...more };
    await this.patchSpec(plan, { approval });
  }

  /** Makes a plan of what a person asks for beside the record: a contract, or a rollback that holds. Not approved yet. */
  async ask(asked: AskedFor): Promise<PlanObject> {
    return (await this.person.create(await planOf(this, asked))) as PlanObject;
  }

  /** Changes the spec of an object of ours, as a person does. */
  async patchSpec(object: StoredObject, spec: JsonObject): Promise<void> {
    const { apiVersion, kind, metadata } = object;
    const ref = { apiVersion, kind, namespace: this.namespace, name: metadata.name };
    await this.person.patch(ref, { type: 'merge', value: { spec } });
  }

  /** Answers what a flow asks; a yes to a loss is about the list that the flow shows. */
  async answer(flow: FlowObject, answer: 'yes' | 'no'): Promise<void> {
    const { question, of } = flow.status?.question ?? {};
    if (question === undefined) throw new Error(`${flow.metadata.name} asks nothing`);
    const about = of === undefined ? {} : { restoreOf: of };
    await this.patchSpec(flow, { answers: { [question]: answer, ...about } });
  }

  async record(): Promise<RecordObject> {
    return (await this.cluster.get({
      ...recordType,
      namespace: this.namespace,
      name: recordName,
    })) as RecordObject;
  }

  /** All of them, the oldest first. */
  plans(): Promise<PlanObject[]> {
    return this.#all<PlanObject>(planType);
  }

  /** The flows of a service, or all, the oldest first. */
  async flows(service?: string): Promise<FlowObject[]> {
    const all = await this.#all<FlowObject>(flowType);
    return service === undefined ? all : all.filter(({ spec }) => spec.serviceName === service);
  }

  async phases(flow: string): Promise<PhaseObject[]> {
    const kinds = await Promise.all(phaseTypes.map(type => this.#all<PhaseObject>(type)));
    return kinds.flat().filter(({ spec }) => spec.move?.oslc === flow);
  }

  /** The newest flow of a service. */
  async flowOf(service: string): Promise<FlowObject | undefined> {
    return (await this.flows(service)).at(-1);
  }

  /** The newest revision first. */
  async revisions(service: string): Promise<RevisionObject[]> {
    const all = await this.#all<RevisionObject>(revisionType);
    return all.filter(({ spec }) => spec.service === service).sort((a, b) => b.spec.number - a.spec.number);
  }

  /** Pods of a service that are no tasks. */
  async pods(service: string): Promise<StoredObject[]> {
    const { items } = await this.cluster.list(
      { apiVersion: 'v1', kind: 'Pod' },
      { namespace: this.namespace, labelSelector: `app=${service}` },
    );
    return [...items];
  }

  async #all<T extends StoredObject>(type: ObjectType): Promise<T[]> {
    const { items } = await this.cluster.list(type, { namespace: this.namespace });
    return [...items].sort(byAge) as unknown as T[];
  }

  /**
   * Asks again until there is an answer other than undefined and false; fails after so many seconds (more in a place where everything takes
   * longer), saying where everything is.
   */
  async until<T>(what: string, probe: () => Promise<T | undefined | false>, seconds = 30): Promise<T> {
    const end = performance.now() + seconds * this.place.patience * 1000;
    for (;;) {
      const found = await probe();
      if (found !== undefined && found !== false) return found;
      if (performance.now() > end)
        throw new TypeError(
          `${what} did not come in ${seconds * this.place.patience} s\n${await this.describe()}`,
        );
      // Where everything takes longer it is asked for more rarely, too: who asks takes time from who is asked about.
      await pause(50 * this.place.patience);
    }
  }

  /** Waits for the end of the newest flow of a service, which must be one whose end was not waited for before. It must be this end. */
  async untilFlowEnds(service: string, end: FlowEnd, seconds = 60): Promise<FlowObject> {
    const flow = await this.until(
      `the end of the flow of ${service}`,
      async () => {
        const newest = await this.flowOf(service);
        if (!newest || this.#told.has(newest.metadata.name)) return undefined;
        return newest.status?.end === undefined ? undefined : newest;
      },
      seconds,
    );
    this.#told.add(flow.metadata.name);
    if (flow.status?.end !== end)
      throw new TypeError(`${service} ended ${flow.status?.end}, not ${end}\n${await this.describe()}`);
    return flow;
  }

  /** Waits until the newest flow of a service, whose end was not waited for, has its version serve: what is left is the soak. */
  async untilSettled(service: string, seconds = 60): Promise<FlowObject> {
    return this.until(
      `the soak of ${service}`,
      async () => {
        const newest = await this.flowOf(service);
        const isNew = newest && !this.#told.has(newest.metadata.name);
        return isNew && newest.status?.settledAt !== undefined && newest;
      },
      seconds,
    );
  }

  /** Waits for the record to be Ready for what it says now. */
  async untilReady(seconds = 60): Promise<RecordObject> {
    return this.untilCondition('Ready', 'True', undefined, seconds);
  }

  /** Waits for a condition of the record, at its newest generation. */
  async untilCondition(type: string, status: string, reason?: string, seconds = 60): Promise<RecordObject> {
    return this.until(
      `${type}=${status}${reason === undefined ? '' : ` (${reason})`} of the record`,
      async () => {
        const record = await this.record();
        const found = record.status?.conditions?.find(condition => condition.type === type);
        const isNew = found?.observedGeneration === record.metadata.generation;
        return (
          found?.status === status && isNew && (reason === undefined || found.reason === reason) && record
        );
      },
      seconds,
    );
  }

  /** Where clients reach a service. */
  async address(service: string): Promise<{ address: string; port: number }> {
    const routed = this.place.clientAddress?.(service);
    if (routed) return routed;
    return this.until(`the address of ${service}`, async () => {
      const ref = { apiVersion: 'v1', kind: 'Service', namespace: this.namespace, name: service };
      const object = await this.cluster.get(ref);
      const { clusterIP, ports } = object['spec'] as { clusterIP?: string; ports: { port: number }[] };
      return clusterIP ? { address: clusterIP, port: ports[0]?.port ?? 0 } : undefined;
    });
  }

  /** Who answers clients of a service now; undefined where nobody does. */
  async serving(service: string): Promise<Answerer | undefined> {
    const { address, port } = await this.address(service);
    try {
      const answer = await fetch(`http://${address}:${port}/version`, {
        signal: AbortSignal.timeout(15_000), // a busy machine is slow to answer; where nobody listens, that is told at once
        headers: { connection: 'close' },
      });
      return answer.ok ? ((await answer.json()) as Answerer) : undefined;
    } catch {
      return undefined; // nobody listens, or nobody answers: that is what is asked
    }
  }

  /** Clients of a service: they write, read back and count what fails, until `stop` or `close`. */
  async load(
    service: string,
    { clients = 4, perSecond = 30, limitMs = 5000 * this.place.patience } = {},
  ): Promise<ClientLoad> {
    const load = startLoad({ ...(await this.address(service)), clients, perSecond, limitMs, mostUsers: 200 });
    this.#loads.push(load);
    return load;
  }

  /** Where everything is, for messages of failures. */
  async describe(): Promise<string> {
    // A journey of hand-written flows has no record.
    const status = (await this.record().catch(() => undefined))?.status;
    const conditions = (status?.conditions ?? []).map(
      one => `${one.type}=${one.status} ${one.reason}: ${one.message}`,
    );
    const plans = (await this.plans()).map(
      ({ metadata, status: at }) => `plan ${metadata.name} ${at?.state}`,
    );
    const flows = (await this.flows()).map(({ metadata, status: at }) => {
      const moves = (at?.moves ?? []).map(({ id, state, message }) => `    ${id} ${state} ${message ?? ''}`);
      return [
        `flow ${metadata.name} ${at?.actualState} ${at?.end ?? ''} ${at?.reason ?? ''} ${at?.because ?? ''}`,
        ...moves,
      ].join('\n');
    });
    return [...conditions, ...plans, ...flows, ...this.troubles.slice(-3)].join('\n');
  }

  /** Takes everything down. Fails where something is left or where conditions contradicted each other. */
  async close(): Promise<void> {
    await Promise.all(this.#loads.map(load => load.stop()));
    try {
      if (this.#opened) await this.stop();
    } finally {
      await this.place.close();
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The images of containers in the manifests of a package, as they are with its version filled in. */
function imagesIn(folder: string): string[] {
  const version = basename(folder);
  const texts = readdirSync(folder)
    .filter(name => name.endsWith('.yaml') && name !== 'lifecycle.yaml')
    .map(name => readFileSync(join(folder, name), 'utf8'));
  const named = texts.flatMap(text => [...text.matchAll(/^\s*(?:- )?image: "?([^\s"]+)/gm)]);
  return [...new Set(named.map(([, name = '']) => name.replace('${version}', version)))];
}

function recordOf(namespace: string, data: string, { services, ...more }: RecordWish) {
  return {
    ...recordType,
    metadata: { name: recordName, namespace },
    spec: {
      source: { type: 'local', location: 'packages/{name}/{version}' },
      shared: { data },
      approval: 'automatic',
      soakSeconds: 1,
      services: [...services],
      ...more,
    },
  };
}
