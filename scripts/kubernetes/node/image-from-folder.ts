import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pack } from 'tar-stream';

/** An image to be made. */
export interface ImageFromFolders {
  /** With a tag: without one it would be asked for at a registry every time. */
  readonly name: string;
  /** What its root is made of, the lowest first; each small enough to be held in memory. */
  readonly layers: readonly ImageLayer[];
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  /** As whom it runs where nobody says otherwise: `user:group` in numbers. */
  readonly user?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A folder, and where in the root it lies; without a place it is the root. */
export interface ImageLayer {
  readonly folder: string;
  readonly at?: string;
}

const mediaType = 'application/vnd.oci.image';
const platform = { architecture: process.arch === 'arm64' ? 'arm64' : 'amd64', os: 'linux' };

/**
 * Writes OCI images as one tar file, ready for `ctr images import`. A layer that several have is in it once. The same folders give the
 * same bytes.
 */
export async function writeImages(images: readonly ImageFromFolders[], file: string): Promise<void> {
  const blobs = new Map<string, Blob>();
  const keep = (blob: Blob): Blob => {
    blobs.set(blob.descriptor.digest, blob);
    return blob;
  };
  const known = new Map<string, Blob>();
  const layerOf = async ({ folder, at = '' }: ImageLayer): Promise<Blob> => {
    const key = JSON.stringify([folder, at]);
    const blob = known.get(key) ?? keep(blobOf(await tarOf(await entriesAt(folder, at))));
    known.set(key, blob);
    return blob;
  };
  const described = [];
  for (const image of images) {
    const layers = [];
    for (const layer of image.layers) layers.push((await layerOf(layer)).descriptor);
    const { config, manifest } = imageBlobs(layers, image);
    keep(config);
    described.push({ name: image.name, manifest: keep(manifest).descriptor });
  }
  await writeFile(
    file,
    await tarOf([
      ...Object.entries(layoutFiles(described)).map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
      ...[...blobs.values()].map(({ descriptor, bytes }) => ({ name: blobPath(descriptor), bytes })),
    ]),
  );
}

/** What an image says of itself: its settings, and of what it is made. Layers are the descriptors of plain tar files, the lowest first. */
export function imageBlobs(
  layers: readonly Descriptor[],
  { entrypoint, command, user, environment = {} }: Omit<ImageFromFolders, 'layers'>,
): { readonly config: Blob; readonly manifest: Blob } {
  const config = blobOf(
    JSON.stringify({
      ...platform,
      config: {
        ...{ Entrypoint: entrypoint, Cmd: command, User: user },
        Env: Object.entries({ PATH: '/usr/local/bin:/usr/bin:/bin', ...environment }).map(
          ([variable, value]) => `${variable}=${value}`,
        ),
      },
      rootfs: { type: 'layers', diff_ids: layers.map(({ digest }) => digest) },
    }),
  );
  const manifest = blobOf(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: `${mediaType}.manifest.v1+json`,
      config: { mediaType: `${mediaType}.config.v1+json`, ...config.descriptor },
      layers: layers.map(layer => ({ mediaType: `${mediaType}.layer.v1.tar`, ...layer })),
    }),
  );
  return { config, manifest };
}

/** The files, by path, that make a folder of blobs an OCI layout of these images. */
export function layoutFiles(
  images: readonly { readonly name: string; readonly manifest: Descriptor }[],
): Readonly<Record<string, string>> {
  const manifests = images.map(({ name, manifest }) => ({
    mediaType: `${mediaType}.manifest.v1+json`,
    ...manifest,
    platform,
    annotations: { 'io.containerd.image.name': name }, // or the import gives it no name
  }));
  return {
    'oci-layout': '{"imageLayoutVersion":"1.0.0"}',
    'index.json': JSON.stringify({ schemaVersion: 2, manifests }),
  };
}

/** Where a blob lies in a layout. */
export function blobPath({ digest }: Descriptor): string {
  return `blobs/sha256/${digest.replace('sha256:', '')}`;
}

/** A blob by what is in it. */
export interface Descriptor {
  readonly digest: string;
  readonly size: number;
}

interface Blob {
  readonly descriptor: Descriptor;
  readonly bytes: Buffer;
}

interface Entry {
  readonly name: string;
  readonly mode?: number;
  readonly bytes?: Buffer;
  readonly linkname?: string;
}

function blobOf(content: string | Buffer): Blob {
  const bytes = Buffer.from(content);
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  return { descriptor: { digest, size: bytes.length }, bytes };
}

async function entriesAt(folder: string, at: string): Promise<Entry[]> {
  return at === ''
    ? entriesBelow(folder)
    : [{ name: `${at}/`, mode: 0o755 }, ...(await entriesBelow(folder, `${at}/`))];
}

async function entriesBelow(folder: string, prefix = ''): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const base of (await readdir(folder)).sort()) {
    const path = join(folder, base);
    const name = `${prefix}${base}`;
    const facts = await lstat(path);
    const mode = facts.mode & 0o7777;
    if (facts.isSymbolicLink()) entries.push({ name, linkname: await readlink(path) });
    else if (facts.isDirectory())
      entries.push({ name: `${name}/`, mode }, ...(await entriesBelow(path, `${name}/`)));
    else entries.push({ name, mode, bytes: await readFile(path) });
  }
  return entries;
}

async function tarOf(entries: readonly Entry[]): Promise<Buffer> {
  const archive = pack();
  for (const { name, mode = 0o644, bytes, linkname } of entries) {
    const header = { name, mode, mtime: new Date(0) };
    if (linkname !== undefined) archive.entry({ ...header, type: 'symlink', linkname });
    else if (bytes === undefined) archive.entry({ ...header, type: 'directory' });
    else archive.entry(header, bytes);
  }
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
