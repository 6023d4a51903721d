import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { isObject, type Json, type JsonObject } from '../../../src/base/json.ts';

/** What versions of a service differ in: `versions.yaml` of its folder. */
export interface ServiceVersions {
  /** Files of a version's own root that mark the newest schema it knows; the schema is called by the first one. */
  readonly headFiles?: readonly string[];
  /** From the oldest to the newest. */
  readonly versions: Readonly<Record<string, VersionData>>;
}

interface VersionData {
  readonly series?: string;
  /** Which root each image stands for. The first image is the service's own. */
  readonly images: Readonly<Record<string, string>>;
}

/** Where things are that a package is composed of. */
export interface ComposePlaces {
  /** The folder of the service: manifests, `lifecycle.yaml`, `versions.yaml`, and maybe `tasks.yaml` and `program`. */
  readonly source: string;
  /** The folder of a root, by name. */
  readonly root: (name: string) => string;
  /** Programs of ours that go beside those of the service, as they were built. */
  readonly ourPrograms: Readonly<Record<string, string>>;
  readonly to: string;
}

/** Files of a source that are composed into others. */
const ingredients = new Set(['versions.yaml', 'tasks.yaml', 'lifecycle.yaml']);

/** Reads which versions of a service there are. */
export async function serviceVersions(source: string): Promise<ServiceVersions> {
  return parse(await readFile(join(source, 'versions.yaml'), 'utf8')) as ServiceVersions;
}

/**
 * Composes the package of one version: the manifests of the service as they are, its lifecycle with what the version adds, its tasks
 * written out, and its programs as a ConfigMap, which is how they come into a container of either world. Whole, or not at all.
 */
export async function composePackage(version: string, places: ComposePlaces): Promise<void> {
  const { source, to } = places;
  const all = await serviceVersions(source);
  const data = all.versions[version];
  if (!data) throw new Error(`${basename(source)} has no version ${version}`);
  const schemas = await schemasUpTo(version, all, places);
  const written = new Map<string, string>();
  for (const name of await readdir(source))
    if (name.endsWith('.yaml') && !ingredients.has(name))
      written.set(name, await readFile(join(source, name), 'utf8'));
  const lifecycle = parse(await readFile(join(source, 'lifecycle.yaml'), 'utf8')) as JsonObject;
  written.set(
    'lifecycle.yaml',
    stringify(lifecycleOf(lifecycle, version, data, schemas.at(-1)?.[0], places)),
  );
  for (const [name, text] of await tasksIn(source)) written.set(name, text);
  const programs = await programsIn(source, schemas, places.ourPrograms);
  const isSliced = [...written.values()].some(text => text.includes('-program-${slice}'));
  if (Object.keys(programs).length > 0)
    written.set('program.yaml', programManifest(`${lifecycle['service']}`, isSliced, programs));
  await putWhole(to, written);
}

/** The marks of the schemas of this version and those before it, its own last. */
async function schemasUpTo(
  version: string,
  { headFiles = [], versions }: ServiceVersions,
  { root }: ComposePlaces,
): Promise<string[][]> {
  if (headFiles.length === 0) return [];
  const names = Object.keys(versions);
  const known: string[][] = [];
  for (const name of names.slice(0, names.indexOf(version) + 1)) {
    const folder = root(Object.values(versions[name]?.images ?? {})[0] ?? '');
    const marks = await Promise.all(headFiles.map(file => readFile(join(folder, file), 'utf8')));
    known.push(marks.map(text => text.trim()));
  }
  // Patches of one release have one schema.
  return known.filter((marks, index) => `${marks}` !== `${known[index + 1]}`);
}

function lifecycleOf(
  lifecycle: JsonObject,
  version: string,
  { series, images }: VersionData,
  head: string | undefined,
  { root }: ComposePlaces,
): JsonObject {
  const data = Array.isArray(lifecycle['data']) ? lifecycle['data'] : [];
  return {
    ...lifecycle,
    version,
    ...(series === undefined ? {} : { series }),
    ...(head === undefined ? {} : { data: data.map(one => ({ ...(one as JsonObject), head })) }),
    images: Object.entries(images).map(([name, from]) => ({ name: `afloat/${name}`, root: root(from) })),
  };
}

/** The tasks of `tasks.yaml` as Jobs, by file: the Pod that all share, with each task's own words over its container. */
async function tasksIn(source: string): Promise<Map<string, string>> {
  const text = await readFile(join(source, 'tasks.yaml'), 'utf8').catch(() => undefined);
  if (text === undefined) return new Map();
  const { pod, jobs } = parse(text) as { pod: JsonObject; jobs: Record<string, Record<string, JsonObject>> };
  const jobOf = (name: string, own: JsonObject) => {
    const [shared] = pod['containers'] as Json[];
    const containers = [{ ...(isObject(shared) ? shared : {}), ...own }];
    const spec = { backoffLimit: 0, template: { spec: { ...pod, containers } } };
    return stringify({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec });
  };
  return new Map(
    Object.entries(jobs).map(([file, tasks]) => [
      file,
      Object.entries(tasks)
        .map(([name, own]) => jobOf(name, own))
        .join('---\n'),
    ]),
  );
}

async function programsIn(
  source: string,
  schemas: readonly string[][],
  ours: ComposePlaces['ourPrograms'],
): Promise<Record<string, string>> {
  const folder = join(source, 'program');
  const names = await readdir(folder).catch(() => []);
  const programs: Record<string, string> = {};
  for (const name of names.toSorted()) programs[name] = await readFile(join(folder, name), 'utf8');
  if (schemas.length > 0) programs['schemas.json'] = `${JSON.stringify(schemas)}\n`;
  return schemas.length > 0 ? { ...programs, ...ours } : programs;
}

/** A ConfigMap of programs. What looks like a placeholder in them is none. */
function programManifest(service: string, isSliced: boolean, programs: Record<string, string>): string {
  const data = Object.entries(programs).map(([name, text]) => [name, text.replaceAll('${', () => '$${')]);
  const name = `${service}-program${isSliced ? '-${slice}' : ''}`;
  return stringify(
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: Object.fromEntries(data) },
    { lineWidth: 0 },
  );
}

async function putWhole(to: string, files: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const folder = await mkdtemp(join(dirname(to), `.composing-${basename(to)}-`));
  for (const [name, text] of files) await writeFile(join(folder, name), text);
  await rm(to, { recursive: true, force: true });
  await rename(folder, to);
}
