import { access, constants, readdir, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { programOnPath } from '../process/program-on-path.ts';
import { withBuildLock } from './build-lock.ts';
import { buildingPrefix, buildPart, stampFile, stampOf } from './build-part.ts';
import { controlPlaneParts, controlPlanePrograms, type Part, type Programs, parts } from './parts.ts';
import { durationText, type Say } from './progress.ts';

/** Where built parts are kept, outside the tree: they outlive it, and serve every checkout. */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { AFLOAT_CACHE, XDG_CACHE_HOME } = environment;
  const cache = AFLOAT_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'afloat');
  return join(cache, 'kubernetes', parts.kubernetes.version);
}

/**
 * What keeps `findPrograms` from working here, as one line with the way out; undefined when nothing does. Cheap:
 * builds nothing.
 */
export async function missingForPrograms(
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  if (process.platform !== 'linux') return `a control plane of our own needs Linux: ${givenCluster}`;
  const { AFLOAT_KUBERNETES_BIN: given } = environment;
  if (given) {
    const absent = await absentPrograms(given, controlPlanePrograms);
    return absent.length === 0 ? undefined : `AFLOAT_KUBERNETES_BIN lacks ${absent.join(', ')}: ${given}`;
  }
  if ((await outdatedParts(cacheFolder(environment))).length === 0) return undefined;
  for (const [tool, advice] of tools) {
    if (!(await programOnPath(tool))) return `${tool} is missing: ${advice}`;
  }
  return undefined;
}

/**
 * The programs of a control plane: those of AFLOAT_KUBERNETES_BIN, else those of the cache, where what is missing or
 * of another version is built first. Takes minutes once, then milliseconds. Throws what `missingForPrograms` says.
 */
export async function findPrograms(
  say: Say,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Programs> {
  const missing = await missingForPrograms(environment);
  if (missing !== undefined) throw new Error(missing);
  const { AFLOAT_KUBERNETES_BIN: given } = environment;
  if (given) return programPaths(() => given);
  const folder = cacheFolder(environment);
  if ((await outdatedParts(folder)).length > 0) {
    await withBuildLock(join(folder, 'lock'), say, () => buildOutdated(folder, say));
  }
  return programPaths(part => join(folder, part.name));
}

const givenCluster = 'set AFLOAT_TEST_KUBECONFIG to the kubeconfig of a cluster for tests';
const tools = [
  [
    'go',
    `install Go 1.26 or newer, or set AFLOAT_KUBERNETES_BIN to a folder with ${controlPlanePrograms.join(', ')}, or ${givenCluster}`,
  ],
  ['flock', 'install util-linux'],
] as const;

async function buildOutdated(folder: string, say: Say): Promise<void> {
  // Looked at again: another run may have built them while we waited for the lock.
  const outdated = await outdatedParts(folder);
  for (const name of await readdir(folder)) {
    if (name.startsWith(buildingPrefix)) await rm(join(folder, name), { recursive: true, force: true });
  }
  if (outdated.length === 0) return;
  const seconds = outdated.reduce((sum, part) => sum + part.estimateSeconds, 0);
  say(`building Kubernetes for the tests, once, into ${folder}: about ${durationText(seconds)} on two cores`);
  for (const part of outdated) await buildPart(part, join(folder, part.name), say);
}

async function outdatedParts(folder: string): Promise<Part[]> {
  const current = await Promise.all(controlPlaneParts.map(part => isCurrent(part, join(folder, part.name))));
  return controlPlaneParts.filter((_, index) => !current[index]);
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

function programPaths(folderOf: (part: Part) => string): Programs {
  const path = (part: Part, name: string) => join(folderOf(part), name);
  return {
    etcd: path(parts.etcd, 'etcd'),
    'kube-apiserver': path(parts.kubernetes, 'kube-apiserver'),
    'kube-controller-manager': path(parts.kubernetes, 'kube-controller-manager'),
    kubectl: path(parts.kubernetes, 'kubectl'),
  };
}
