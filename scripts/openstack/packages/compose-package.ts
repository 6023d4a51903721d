import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { JsonObject } from '../../../src/base/json.ts';
import { composeTasks } from './compose-tasks.ts';

/** What versions of a service differ in: `versions.yaml` of its folder. */
export interface ServiceVersions {
  /** Files of a version's own root that mark the newest schema it knows; the schema is called by the first one. */
  readonly headFiles?: readonly string[];
  /** From the oldest to the newest. */
  readonly versions: Readonly<Record<string, VersionData>>;
}

interface VersionData {
  readonly series?: string;
  /** The marks of its newest schema, where no file of its root has them. */
  readonly heads?: readonly string[];
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
  /** Who brings clients to it, where it has some and that is not its Service. */
  readonly router?: string;
  /** What makes another version of one that there is, for tests. */
  readonly variant?: Variant;
}

/** A version that is another one but for some files. */
export interface Variant {
  /** The version that it is made of. */
  readonly of: string;
  /** What becomes of files of the service, by their path in its folder; of one that is not there, from nothing. */
  readonly changes: Readonly<Record<string, (text: string) => string>>;
}

/** Texts by their path in the folder of the service. */
type Texts = ReadonlyMap<string, string>;

/** Files of a source that are composed into others. */
const ingredients = new Set(['versions.yaml', 'tasks.yaml', 'lifecycle.yaml']);
const programFolder = 'program/';

/** Reads which versions of a service there are. */
export async function serviceVersions(source: string): Promise<ServiceVersions> {
  return parse(await readFile(join(source, 'versions.yaml'), 'utf8')) as ServiceVersions;
}

/**
 * Composes the package of one version: the manifests of the service as they are, its lifecycle with what the version adds, its tasks
 * written out, and its programs as a ConfigMap, which is how they come into a container of either world. Whole, or not at all.
 */
export async function composePackage(version: string, places: ComposePlaces): Promise<void> {
  const { source, to, variant } = places;
  const all = await serviceVersions(source);
  const of = variant?.of ?? version;
  const data = all.versions[of];
  if (!data) throw new Error(`${basename(source)} has no version ${of}`);
  const schemas = await schemasUpTo(of, all, places);
  const texts = await textsIn(source, variant);
  const written = new Map([...texts].filter(([name]) => !name.includes('/') && !ingredients.has(name)));
  const lifecycle = parse(texts.get('lifecycle.yaml') ?? '') as JsonObject;
  const images = imagesOf(data, of, version);
  written.set(
    'lifecycle.yaml',
    stringify(lifecycleOf(lifecycle, version, { ...data, images }, schemas.at(-1)?.[0], places)),
  );
  for (const [name, text] of composeTasks(texts.get('tasks.yaml'))) written.set(name, text);
  const programs = programsIn(texts, schemas, places.ourPrograms);
  const isSliced = [...written.values()].some(text => text.includes('-program-${slice}'));
  if (Object.keys(programs).length > 0)
    written.set('program.yaml', programManifest(`${lifecycle['service']}`, isSliced, programs));
  await putWhole(to, written);
}

/** The manifests and programs of a service, as a variant has them. */
async function textsIn(source: string, variant: Variant | undefined): Promise<Texts> {
  const programs = await readdir(join(source, programFolder)).catch(() => []);
  const names = [
    ...(await readdir(source)).filter(name => name.endsWith('.yaml')),
    ...programs.toSorted().map(name => `${programFolder}${name}`),
  ];
  const texts = new Map<string, string>();
  for (const name of names) texts.set(name, await readFile(join(source, name), 'utf8'));
  for (const [name, change] of Object.entries(variant?.changes ?? {})) {
    const before = texts.get(name) ?? '';
    const after = change(before);
    // A change that finds nothing to change would make a test that proves nothing.
    if (after === before) throw new Error(`a variant of ${basename(source)} changes nothing of ${name}`);
    texts.set(name, after);
  }
  return texts;
}

/** The images of a version: those of the one that it is made of, its own ones under its own name. */
function imagesOf({ images }: VersionData, of: string, version: string): VersionData['images'] {
  return Object.fromEntries(
    Object.entries(images).map(([name, root]) => [
      name.endsWith(`:${of}`) ? name.replace(of, version) : name,
      root,
    ]),
  );
}

/** The marks of the schemas of this version and those before it, its own last. */
async function schemasUpTo(
  version: string,
  { headFiles = [], versions }: ServiceVersions,
  { root }: ComposePlaces,
): Promise<string[][]> {
  const names = Object.keys(versions);
  const known: string[][] = [];
  for (const name of names.slice(0, names.indexOf(version) + 1)) {
    const { heads, images = {} } = versions[name] ?? {};
    const folder = root(Object.values(images)[0] ?? '');
    const marks = heads ?? (await Promise.all(headFiles.map(file => readFile(join(folder, file), 'utf8'))));
    if (marks.length > 0) known.push(marks.map(text => text.trim()));
  }
  // Patches of one release have one schema.
  return known.filter((marks, index) => `${marks}` !== `${known[index + 1]}`);
}

function lifecycleOf(
  lifecycle: JsonObject,
  version: string,
  { series, images }: VersionData,
  head: string | undefined,
  { root, router }: ComposePlaces,
): JsonObject {
  const data = Array.isArray(lifecycle['data']) ? lifecycle['data'] : [];
  return {
    ...lifecycle,
    ...(router === undefined ? {} : routedBy(router, lifecycle)),
    version,
    ...(series === undefined ? {} : { series }),
    ...(head === undefined ? {} : { data: data.map(one => ({ ...(one as JsonObject), head })) }),
    images: Object.entries(images).map(([name, from]) => ({ name: `afloat/${name}`, root: root(from) })),
  };
}

/** The ways that clients take, by a router. */
function routedBy(router: string, { traffic, components }: JsonObject): JsonObject {
  return {
    ...(traffic === undefined ? {} : { traffic: { ...(traffic as JsonObject), router } }),
    ...(Array.isArray(components)
      ? {
          components: components.map(one => ({
            ...(one as JsonObject),
            ...routedBy(router, one as JsonObject),
          })),
        }
      : {}),
  };
}

function programsIn(
  texts: Texts,
  schemas: readonly string[][],
  ours: ComposePlaces['ourPrograms'],
): Record<string, string> {
  const programs = Object.fromEntries(
    [...texts]
      .filter(([name]) => name.startsWith(programFolder))
      .map(([name, text]) => [name.slice(programFolder.length), text]),
  );
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
