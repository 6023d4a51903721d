/**
 * The embedded store against raw SQLite grouped commits: creates and status patches, with 0, 10 and 100 watchers, and the
 * memory of 1,000 objects with the history that is kept by default. The goal is half of what raw SQLite does, or more, and
 * 5 MB at most.
 *
 * How it is read, so that the ratio means something:
 *
 * - Both begin with objects in memory and end with the same rows in a file that was opened in the same way, every commit
 *   synced. So the floor makes the JSON too: whoever uses SQLite as it is must. It does nothing else that a store does:
 *   no copy, no schema, no owners of fields, no checksum (it gets the number), no history, no second file.
 * - The same groups: ten writers at once, each waiting for its answer, share a commit; the floor commits ten rows at a time, in
 *   the usual way: BEGIN, a prepared INSERT for each row, COMMIT. More writers at once make the sync cheaper for
 *   both, and the ratio worse; one alone makes it nearly 1.
 * - Raw SQLite has no watchers: the floor is the same for 0 and 100 of them, and our clock stops only when every watcher has seen
 *   every change.
 * - What is written is made beforehand: making it is nobody's work here.
 * - Many short turns, ours and the floor's one after the other, and the medians of them: the machine may be busy with other things.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Database from 'libsql';
import { apiVersion } from '../src/api/group.ts';
import type { ObjectRef, StoredObject } from '../src/cluster/cluster.ts';
import { EmbeddedCluster } from '../src/cluster/embedded/embedded-cluster.ts';
import { closeDatabase, openDatabase } from '../src/cluster/embedded/store/open-database.ts';
import { type Bench, type BenchSize, type Measure, measured, median } from './measure.ts';

/** So many writers at once, as flows run side by side: each waits for its answer, all of one turn share a commit. */
const writers = 10;
const namespace = 'default';
const type = { apiVersion, kind: 'InstallPhase' };

const spec = {
  source: { type: 'tar', location: '/var/lib/afloat/packages/keystone/27.0.0' },
  openstackServiceName: 'keystone',
  targetOpenstackServiceVersion: '27.0.0',
  targetState: 'deployed',
  config: { region: 'north', replicas: '3' },
};
const labels = { 'app.kubernetes.io/name': 'keystone', 'app.kubernetes.io/managed-by': 'afloat' };

/** A phase as the engine writes it. */
function phase(name: string) {
  return { ...type, metadata: { name, namespace, labels }, spec };
}

/** A status as the engine reports it; no two are the same. */
function report(turn: number) {
  const condition = {
    type: 'Ready',
    status: 'False',
    reason: 'Progressing',
    message: `step ${turn} of many`,
  };
  const lastTransitionTime = '2026-01-31T22:00:00Z';
  return {
    status: { actualState: 'pending', satisfied: false, conditions: [{ ...condition, lastTransitionTime }] },
  };
}

/** A row as it stands in the file, with the object in it. */
interface Row {
  readonly columns: readonly unknown[];
  readonly object: unknown;
}

/** The least a durable store must do: write the same objects as JSON, in the same groups, into a file of the same kind. */
class BareFile {
  readonly #folder = mkdtempSync(join(tmpdir(), 'afloat-bench-floor-'));
  readonly #database = openDatabase(this.#folder);
  readonly #insert = this.#database.prepare('INSERT INTO revision VALUES (?, ?, ?, ?, ?, ?, ?)');
  #version = 0;

  write(rows: readonly Row[]): void {
    for (let start = 0; start < rows.length; start += writers) {
      this.#database.exec('BEGIN IMMEDIATE');
      for (const { columns, object } of rows.slice(start, start + writers)) {
        const [, kind, place, change, time, , checksum] = columns;
        this.#version += 1;
        this.#insert.run([this.#version, kind, place, change, time, JSON.stringify(object), checksum]);
      }
      this.#database.exec('COMMIT');
    }
  }

  close(): void {
    closeDatabase(this.#database);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A cluster in a folder of its own, with watchers that read everything. */
class Subject {
  readonly folder = mkdtempSync(join(tmpdir(), 'afloat-bench-store-'));
  cluster: EmbeddedCluster | undefined;
  readonly #stop = new AbortController();
  #watchers = 0;
  #written = 0;
  #seen = 0;

  async open(watchers: number): Promise<EmbeddedCluster> {
    this.cluster = await EmbeddedCluster.open(this.folder);
    this.#watchers = watchers;
    for (let count = 0; count < watchers; count++) void this.#watch(this.cluster);
    return this.cluster;
  }

  /** Writes all of these, and waits until every watcher has seen them. */
  async write<T>(inputs: readonly T[], write: (input: T) => Promise<StoredObject>): Promise<void> {
    await inTurns(inputs, write);
    this.#written += inputs.length;
    while (this.#seen < this.#written * this.#watchers) await setImmediate();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.cluster?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #watch(cluster: EmbeddedCluster): Promise<void> {
    for await (const { type: change } of cluster.watch(type, { signal: this.#stop.signal })) {
      if (change !== 'BOOKMARK') this.#seen += 1;
    }
  }
}

/** Writes every one of these, so many writers at once. */
async function inTurns<T>(inputs: readonly T[], write: (input: T) => Promise<StoredObject>): Promise<void> {
  for (let start = 0; start < inputs.length; start += writers) {
    await Promise.all(inputs.slice(start, start + writers).map(write));
  }
}

/** What is to be created in one turn. */
function phases(count: number, turn: number) {
  return Array.from({ length: count }, (_, index) => phase(`phase-${turn}-${index}`));
}

/** What is to be reported of each of those. */
function reports(count: number, turn: number) {
  return Array.from({ length: count }, (_, index) => {
    const ref: ObjectRef = { ...type, namespace, name: `phase-${turn}-${index}` };
    return { ref, patch: { type: 'merge', value: report(turn * count + index) } as const };
  });
}

const status = { subresource: 'status' } as const;

/** The rows that were written last, as they stand in the file. */
function lastRows(folder: string, count: number): Row[] {
  const database = new Database(join(folder, 'store.db'));
  const rows = database.prepare('SELECT * FROM revision ORDER BY version DESC LIMIT ?').raw().all([count]);
  closeDatabase(database);
  return (rows as unknown[][])
    .reverse()
    .map(columns => ({ columns, object: JSON.parse(String(columns[5])) }));
}

/** What rows of that kind look like, from a cluster made for nothing else: an open one cannot be read from outside. */
async function sampleRows(count: number): Promise<{ creates: Row[]; patches: Row[] }> {
  const subject = new Subject();
  const cluster = await subject.open(0);
  await inTurns(phases(count, 0), one => cluster.create(one));
  await inTurns(reports(count, 0), ({ ref, patch }) => cluster.patch(ref, patch, status));
  await cluster.close();
  const rows = lastRows(subject.folder, count * 2);
  await subject.close();
  return { creates: rows.slice(0, count), patches: rows.slice(count) };
}

/** One piece of work; what it needs was made before. */
type Work = (turn: number) => unknown;

/** The median times of one turn of each work. They take turns, and the first ones are not counted. */
async function medianTurns<Name extends string>(
  runs: number,
  works: Readonly<Record<Name, Work>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(works) as Name[];
  const times = new Map(names.map(name => [name, [] as number[]]));
  for (let turn = 0; turn < runs + warmUps; turn++) {
    for (const name of names) {
      const start = performance.now();
      await works[name](turn);
      if (turn >= warmUps) times.get(name)?.push(performance.now() - start);
    }
  }
  return Object.fromEntries([...times].map(([name, list]) => [name, median(list)])) as Record<Name, number>;
}

/** So many turns are run before any counts, until the machine has compiled what they run. */
const warmUps = 6;

async function* withWatchers(watchers: number, count: number, runs: number): AsyncGenerator<Measure> {
  const rows = await sampleRows(count);
  const subject = new Subject();
  const cluster = await subject.open(watchers);
  const bare = new BareFile();
  const turns = Array.from({ length: runs + warmUps }, (_, turn) => turn);
  const [created, patched] = [
    turns.map(turn => phases(count, turn)),
    turns.map(turn => reports(count, turn)),
  ];
  const times = await medianTurns(runs, {
    create: turn => subject.write(created[turn] ?? [], one => cluster.create(one)),
    floorCreate: () => bare.write(rows.creates),
    patch: turn => subject.write(patched[turn] ?? [], ({ ref, patch }) => cluster.patch(ref, patch, status)),
    floorPatch: () => bare.write(rows.patches),
  });
  bare.close();
  await subject.close();
  const rate = (milliseconds: number) => (count * 1000) / milliseconds;
  const shared = {
    unit: 'a second',
    against: 'the same JSON into bare SQLite',
    goal: 2,
    more: 'is better',
  } as const;
  yield measured({
    measure: `creates, ${watchers} watchers`,
    value: rate(times.create),
    floor: rate(times.floorCreate),
    ...shared,
  });
  yield measured({
    measure: `status patches, ${watchers} watchers`,
    value: rate(times.patch),
    floor: rate(times.floorPatch),
    ...shared,
  });
}

/** Megabytes in use after everything that can be freed was. */
function megabytes(): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1024 / 1024;
}

async function memory(count: number): Promise<Measure> {
  const subject = new Subject();
  const cluster = await subject.open(0);
  await inTurns(phases(writers, 1), one => cluster.create(one));
  const before = megabytes();
  await inTurns(phases(count, 0), one => cluster.create(one));
  await inTurns(reports(count, 0), ({ ref, patch }) => cluster.patch(ref, patch, status));
  // With the changes that are kept for watches, as a store in use has them: each object once as it was made.
  const value = ((megabytes() - before) * 1000) / count;
  await subject.close();
  return measured({
    measure: 'memory of 1,000 objects and their history',
    value,
    unit: 'MB',
    against: 'the limit',
    floor: 5,
    goal: 1,
  });
}

async function* run(size: BenchSize): AsyncGenerator<Measure> {
  const [count, runs] = size === 'full' ? [500, 40] : [500, 8];
  for (const watchers of [0, 10, 100]) yield* withWatchers(watchers, count, runs);
  yield await memory(size === 'full' ? 10_000 : 2000);
}

export const bench: Bench = { name: 'store', run };
