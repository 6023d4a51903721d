import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Pod, Volume } from '../pod-shape.ts';
import { checkHostPath } from './host-path.ts';
import { type VolumeSources, volumeContent } from './volume-content.ts';
import { isWritten, writeFiles } from './write-files.ts';

/** Where volumes are that outlive Pods. */
export interface KeptVolumes {
  /** The folder of a claim that is bound; undefined until it is. */
  folderOf(namespace: string, claim: string): string | undefined;
}

/** The volumes of a Pod by name, as places of the machine; or why one cannot be had. */
export type MountedVolumes = { readonly sources: ReadonlyMap<string, string> } | { readonly problem: string };

/** Makes the volumes of a Pod in its folder, or brings them up to date. All of them, or it says which one is missing. */
export async function mountVolumes(
  folder: string,
  from: VolumeSources,
  kept: KeptVolumes,
): Promise<MountedVolumes> {
  const sources = new Map<string, string>();
  for (const volume of from.pod.spec.volumes ?? []) {
    const mounted = await mountVolume(volume, join(folder, 'volumes', volume.name), from, kept);
    if ('problem' in mounted) {
      return { problem: `MountVolume.SetUp failed for volume "${volume.name}" : ${mounted.problem}` };
    }
    sources.set(volume.name, mounted.source);
  }
  return { sources };
}

type Mounted = { readonly source: string } | { readonly problem: string };

async function mountVolume(
  volume: Volume,
  place: string,
  from: VolumeSources,
  kept: KeptVolumes,
): Promise<Mounted> {
  const content = volumeContent(volume, from);
  if (content && 'problem' in content) {
    // What was mounted once stays, as it was, when the object behind it goes.
    return (await isWritten(place)) ? { source: place } : content;
  }
  if (content) {
    await writeFiles(place, content.files);
    return { source: place };
  }
  if (volume.hostPath) {
    const { path, type } = volume.hostPath;
    const problem = await checkHostPath(path, type);
    return problem === undefined ? { source: path } : { problem };
  }
  if (volume.persistentVolumeClaim) return claimed(volume.persistentVolumeClaim.claimName, from.pod, kept);
  return emptyFolder(place);
}

function claimed(claim: string, { metadata }: Pod, kept: KeptVolumes): Mounted {
  const source = kept.folderOf(metadata.namespace ?? '', claim);
  return source ? { source } : { problem: `persistentvolumeclaim "${claim}" not found or not bound` };
}

/** Whoever the container runs as may write to it: under another name until that is so, since a manager may be cut off anywhere. */
async function emptyFolder(place: string): Promise<Mounted> {
  if (existsSync(place)) return { source: place };
  await mkdir(dirname(place), { recursive: true });
  const made = await mkdtemp(`${place}.`);
  await chmod(made, 0o777);
  await rename(made, place);
  return { source: place };
}
