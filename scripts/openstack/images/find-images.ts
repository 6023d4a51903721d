import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inCache } from '../../debian-programs.ts';
import { withBuildLock } from '../../kubernetes/build/build-lock.ts';
import { type Say, withProgress } from '../../kubernetes/build/progress.ts';
import {
  blobPath,
  type Descriptor,
  imageBlobs,
  layoutFiles,
} from '../../kubernetes/node/image-from-folder.ts';
import { fullName } from '../../kubernetes/node/load-images.ts';
import { findRoots, rootBelow, rootFolder } from '../roots/find-roots.ts';
import { type ServiceImage, serviceImages } from './service-images.ts';
import { writeLayer } from './write-layer.ts';

/** Where programs of Debian are. */
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const layout = inCache('images');

/**
 * The images of real services as an OCI layout in the cache, and the names they have there. A root is a layer on the one that it began as,
 * so what roots share is there once. Roots that are missing are built first; a layer is written anew when its root is another one.
 */
export async function findImages(
  say: Say = line => console.log(line),
): Promise<{ readonly folder: string; readonly names: readonly string[] }> {
  const images = await serviceImages();
  await findRoots([...new Set(images.map(({ root }) => root))], say);
  await withBuildLock(`${layout}.lock`, say, () => bringUpToDate(images, say));
  return { folder: layout, names: images.map(({ name }) => name) };
}

async function bringUpToDate(images: readonly ServiceImage[], say: Say): Promise<void> {
  await mkdir(join(layout, 'blobs/sha256'), { recursive: true });
  const layers = new Map<string, Descriptor>();
  const described = [];
  const kept = new Set<string>();
  for (const { name, root } of images) {
    const chain = chainOf(root);
    for (const one of chain) if (!layers.has(one)) layers.set(one, await layerOf(one, say));
    const own = chain.flatMap(one => layers.get(one) ?? []);
    const { config, manifest } = imageBlobs(own, { name: fullName(name), environment: { PATH } });
    for (const { descriptor, bytes } of [config, manifest])
      await putText(join(layout, blobPath(descriptor)), `${bytes}`);
    for (const one of [...own, config.descriptor, manifest.descriptor]) kept.add(blobPath(one));
    described.push({ name: fullName(name), manifest: manifest.descriptor });
  }
  for (const [file, text] of Object.entries(layoutFiles(described))) await putText(join(layout, file), text);
  for (const name of await readdir(join(layout, 'blobs/sha256')))
    if (!kept.has(`blobs/sha256/${name}`)) await rm(join(layout, 'blobs/sha256', name));
}

/** A root with all that it stands on, the lowest first. */
function chainOf(root: string): string[] {
  const below = rootBelow(root);
  return below === undefined ? [root] : [...chainOf(below), root];
}

/** The layer of a root; written where there is none of this very folder, on this very folder below. */
async function layerOf(root: string, say: Say): Promise<Descriptor> {
  const below = rootBelow(root);
  const stamp = JSON.stringify([await identityOf(root), below === undefined ? '' : await identityOf(below)]);
  const stampFile = join(layout, `${root}.json`);
  const known = await readFile(stampFile, 'utf8').catch(() => '{}');
  const { stamp: was, layer } = JSON.parse(known) as { stamp?: string; layer?: Descriptor };
  if (was === stamp && layer && (await isThere(layer))) return layer;
  const made = await withProgress({ what: `image layer ${root}`, estimateSeconds: 15, say }, async () => {
    const room = await mkdtemp(join(layout, '.writing-'));
    try {
      const file = join(room, 'layer.tar');
      const from = below === undefined ? undefined : rootFolder(below);
      const written = await writeLayer(file, rootFolder(root), from);
      await rename(file, join(layout, blobPath(written)));
      return written;
    } finally {
      await rm(room, { recursive: true, force: true });
    }
  });
  await writeFile(stampFile, JSON.stringify({ stamp, layer: made }));
  return made;
}

/** Somebody else may be reading what is right already. */
async function putText(file: string, text: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => undefined)) !== text) await writeFile(file, text);
}

const isThere = (layer: Descriptor) =>
  stat(join(layout, blobPath(layer))).then(
    ({ size }) => size === layer.size,
    () => false,
  );

/** A root is never changed; one that was built again is another folder. */
async function identityOf(root: string): Promise<string> {
  const { ino, birthtimeMs } = await stat(rootFolder(root));
  return `${ino} ${birthtimeMs}`;
}
