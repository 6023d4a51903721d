import { access, constants, readdir, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { programOnPath } from '../process/program-on-path.ts';
import { withBuildLock } from './build-lock.ts';
import { buildingPrefix, buildPart, stampFile, stampOf } from './build-part.ts';
import {
  controlPlaneParts,
  controlPlanePrograms,
  type NodePrograms,
  nodeParts,
  nodePrograms,
  type Part,
  type Programs,
  parts,
} from './parts.ts';
import { durationText, type Say } from './progress.ts';

/** Where built parts are kept, outside the tree: they outlive it, and serve every checkout. */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { AFLOAT_CACHE, XDG_CACHE_HOME } = environment;
  const cache = AFLOAT_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'afloat');
  return join(cache, 'kubernetes', parts.kubernetes.version);
}

/** Programs that are asked for together. */
interface Wanted<Name extends string> {
  readonly parts: readonly Part[];
  readonly programs: readonly Name[];
}

const controlPlane = { parts: controlPlaneParts, programs: controlPlanePrograms };
const node = { parts: nodeParts, programs: nodePrograms };
const helm = { parts: [parts.helm], programs: ['helm'] as const };
const argo = { parts: [parts.argo], programs: ['workflow-controller'] as const };

/**
 * What keeps `findPrograms` from working here, as one line with the way out; undefined when nothing does. Cheap:
 * builds nothing.
 */
export function missingForPrograms(
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  return missingFor(controlPlane, environment);
}

/**
 * The programs of a control plane: those of AFLOAT_KUBERNETES_BIN, else those of the cache, where what is missing or
 * of another version is built first. Takes minutes once, then milliseconds. Throws what `missingForPrograms` says.
 */
export function findPrograms(say: Say, environment: NodeJS.ProcessEnv = process.env): Promise<Programs> {
  return find(controlPlane, say, environment);
}

/** The same for what a whole node needs beside a control plane. */
export function missingForNodePrograms(
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  return missingFor(node, environment);
}

/** The same for what a whole node needs beside a control plane. Nobody who wants a control plane only waits for these. */
export function findNodePrograms(
  say: Say,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<NodePrograms> {
  return find(node, say, environment);
}

/** The same for Helm, which only the tests of the chart need. */
export function missingForHelm(environment: NodeJS.ProcessEnv = process.env): Promise<string | undefined> {
  return missingFor(helm, environment);
}

/** Where Helm lies, built first where it is not there. */
export async function findHelm(say: Say, environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  return (await find(helm, say, environment)).helm;
}

/** The same for the controller of Argo Workflows, which only the tests of its driver need. */
export function missingForArgo(environment: NodeJS.ProcessEnv = process.env): Promise<string | undefined> {
  return missingFor(argo, environment);
}

/** Where the controller of Argo Workflows lies, built first where it is not there. */
export async function findArgo(say: Say, environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  return (await find(argo, say, environment))['workflow-controller'];
}

async function missingFor(
  wanted: Wanted<string>,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'a Kubernetes of our own needs Linux';
  const { AFLOAT_KUBERNETES_BIN: given } = environment;
  if (given) {
    const absent = await absentPrograms(given, wanted.programs);
    return absent.length === 0 ? undefined : `AFLOAT_KUBERNETES_BIN lacks ${absent.join(', ')}: ${given}`;
  }
  if ((await outdatedParts(wanted.parts, cacheFolder(environment))).length === 0) return undefined;
  const instead = `set AFLOAT_KUBERNETES_BIN to a folder with ${wanted.programs.join(', ')}`;
  if (!(await programOnPath('go'))) return `go is missing: install Go 1.26 or newer, or ${instead}`;
  return (await programOnPath('flock')) ? undefined : 'flock is missing: install util-linux';
}

async function find<Name extends string>(
  wanted: Wanted<Name>,
  say: Say,
  environment: NodeJS.ProcessEnv,
): Promise<Readonly<Record<Name, string>>> {
  const missing = await missingFor(wanted, environment);
  if (missing !== undefined) throw new Error(missing);
  const { AFLOAT_KUBERNETES_BIN: given } = environment;
  const folder = cacheFolder(environment);
  if (!given && (await outdatedParts(wanted.parts, folder)).length > 0) {
    await withBuildLock(join(folder, 'lock'), say, () => buildOutdated(wanted.parts, folder, say));
  }
  const folderOf = (name: Name) => given || join(folder, partOf(wanted, name).name);
  const paths = wanted.programs.map(name => [name, join(folderOf(name), name)]);
  return Object.fromEntries(paths) as Record<Name, string>;
}

function partOf(wanted: Wanted<string>, program: string): Part {
  const part = wanted.parts.find(one => program in one.programs);
  if (part === undefined) throw new Error(`no part builds ${program}`);
  return part;
}

async function buildOutdated(wanted: readonly Part[], folder: string, say: Say): Promise<void> {
  // Looked at again: another run may have built them while we waited for the lock.
  const outdated = await outdatedParts(wanted, folder);
  for (const name of await readdir(folder)) {
    if (name.startsWith(buildingPrefix)) await rm(join(folder, name), { recursive: true, force: true });
  }
  if (outdated.length === 0) return;
  const seconds = outdated.reduce((sum, part) => sum + part.estimateSeconds, 0);
  say(`building Kubernetes for the tests, once, into ${folder}: about ${durationText(seconds)} on two cores`);
  for (const part of outdated) await buildPart(part, join(folder, part.name), say);
}

async function outdatedParts(wanted: readonly Part[], folder: string): Promise<Part[]> {
  const current = await Promise.all(wanted.map(part => isCurrent(part, join(folder, part.name))));
  return wanted.filter((_, index) => !current[index]);
}

async function isCurrent(part: Part, folder: string): Promise<boolean> {
  const stamp = await readFile(join(folder, stampFile), 'utf8').catch(() => '');
  return stamp === stampOf(part) && (await absentPrograms(folder, Object.keys(part.programs))).length === 0;
}

async function absentPrograms(folder: string, names: readonly string[]): Promise<string[]> {
  const absent: string[] = [];
  for (const name of names) {
    await access(join(folder, name), constants.X_OK).catch(() => absent.push(name));
  }
  return absent;
}
