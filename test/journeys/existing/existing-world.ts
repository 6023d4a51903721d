/** A journey's world whose operator has a folder of packages and of the files that existing manifests name. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { apiVersion, group } from '../../../src/api/group.ts';
import { startEmbeddedOperator } from '../../../src/app/embedded-operator.ts';
import { openEmbeddedWorld } from '../../../src/app/embedded-world.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import type { ClusterObject, StoredObject } from '../../../src/cluster/cluster.ts';
import { findObject } from '../../../src/cluster/find-object.ts';
import type { PhaseObject } from '../../../src/controller/our-objects.ts';
import { type PackageWish, writePackage } from '../engine/a-package.ts';
import { embeddedPlace, type JourneyPlace } from '../engine/journey-place.ts';
import { type JourneyWorld, openJourneyWorld } from '../engine/journey-world.ts';

const testdata = join(import.meta.dirname, 'testdata');

/** The folder that the operator is given as `--package-root`. */
export const rootOf = (folder: string): string => join(folder, 'root');

/** Opens a world whose operator reads below `rootOf`; `tools/shell:1` is an image that runs a line of shell. */
export async function openExistingWorld(): Promise<JourneyWorld> {
  const world = await openJourneyWorld(folder => {
    cpSync(join(testdata, 'root'), rootOf(folder), { recursive: true });
    return placeWithRoot(folder);
  });
  await world.cluster.create({
    ...{ apiVersion: 'v1', kind: 'ConfigMap' },
    metadata: { name: 'tools', namespace: world.namespace, labels: { [`${group}/images`]: 'true' } },
    data: { images: JSON.stringify({ 'tools/shell:1': { command: ['/bin/sh', '-c'], env: {} } }) },
  });
  return world;
}

function placeWithRoot(folder: string): JourneyPlace {
  const place = embeddedPlace(folder);
  const stateFolder = join(folder, 'state');
  return {
    ...place,
    async start({ signal, onTrouble }) {
      const world = await openEmbeddedWorld({ stateFolder, signal, onTrouble, isolation: 'loopback' });
      const options = { signal, onTrouble, stateFolder, packageRoot: rootOf(folder) };
      const engine = await startEmbeddedOperator(world, options);
      await world.ensureNamespace(place.namespace);
      const ended = Promise.all([engine.ended, world.ended]).then(() => undefined);
      return { cluster: world.cluster, engine, ended };
    },
  };
}

/** Writes a package of the journeys below the root. What it shares is written out: a hand-written flow has no record to take it from. */
export function packageAt(
  world: JourneyWorld,
  location: string,
  { name, version }: { readonly name: string; readonly version: string },
  wish: PackageWish = {},
): void {
  const folder = join(rootOf(world.folder), location);
  writePackage(folder, { name, version, place: world.place }, wish);
  for (const file of readdirSync(folder).filter(one => one.endsWith('.yaml'))) {
    const text = readFileSync(join(folder, file), 'utf8');
    writeFileSync(join(folder, file), text.replaceAll('${shared.data}', world.data.folder));
  }
}

/** Creates what a file of the test data holds, with changes to the spec of each; in its order. */
export async function createFrom(
  world: JourneyWorld,
  file: string,
  change: (object: ClusterObject) => JsonObject = () => ({}),
): Promise<StoredObject[]> {
  const made: StoredObject[] = [];
  for (const document of parseAllDocuments(readFileSync(join(testdata, file), 'utf8'))) {
    const object = document.toJS() as ClusterObject;
    const spec = { ...(object['spec'] as JsonObject), ...change(object) };
    const metadata = { ...object.metadata, namespace: world.namespace };
    made.push(await world.cluster.create({ ...object, metadata, spec }));
  }
  return made;
}

/** A phase, by kind and name. */
export async function phaseAt(
  world: JourneyWorld,
  kind: string,
  name: string,
): Promise<PhaseObject | undefined> {
  const ref = { apiVersion, kind, name, namespace: world.namespace };
  return (await findObject(world.cluster, ref)) as PhaseObject | undefined;
}

/** Waits for a phase to be in this state. */
export function untilState(
  world: JourneyWorld,
  kind: string,
  name: string,
  state: string,
  seconds = 60,
): Promise<PhaseObject> {
  return world.until(
    `${kind} ${name} to be ${state}`,
    async () => {
      const phase = await phaseAt(world, kind, name);
      return phase?.status?.actualState === state && phase;
    },
    seconds,
  );
}

/** The conditions that hold. */
export function holding({ status }: Pick<PhaseObject, 'status'>): string[] {
  const conditions = (status?.conditions ?? []).filter(one => one.status === 'True');
  return conditions.map(({ type, reason }) => `${type} ${reason}`).sort();
}
