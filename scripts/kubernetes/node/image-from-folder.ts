import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pack } from 'tar-stream';

/** An image to be made. */
export interface ImageFromFolder {
  /** With a tag: without one it would be asked for at a registry every time. */
  readonly name: string;
  /** Becomes the root of the image; small enough to be held in memory. */
  readonly folder: string;
  readonly command: readonly string[];
}

const mediaType = 'application/vnd.oci.image';
const platform = { architecture: process.arch === 'arm64' ? 'arm64' : 'amd64', os: 'linux' };

/** Writes an OCI image of one layer as a tar file, ready for `ctr images import`. The same folder gives the same bytes. */
export async function writeImage({ name, folder, command }: ImageFromFolder, file: string): Promise<void> {
  const layer = blobOf(await tarOf(await entriesBelow(folder)));
  const config = blobOf(
    JSON.stringify({
      ...platform,
      config: { Cmd: command, Env: ['PATH=/usr/local/bin:/usr/bin:/bin'] },
      rootfs: { type: 'layers', diff_ids: [layer.descriptor.digest] },
    }),
  );
  const manifest = blobOf(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: `${mediaType}.manifest.v1+json`,
      config: { mediaType: `${mediaType}.config.v1+json`, ...config.descriptor },
      layers: [{ mediaType: `${mediaType}.layer.v1.tar`, ...layer.descriptor }],
    }),
  );
  const index = {
    schemaVersion: 2,
    manifests: [
      {
        mediaType: `${mediaType}.manifest.v1+json`,
        ...manifest.descriptor,
        platform,
        annotations: { 'io.containerd.image.name': name }, // or the import gives it no name
      },
    ],
  };
  const blobs = [layer, config, manifest].map(({ descriptor, bytes }) => ({
    name: `blobs/sha256/${descriptor.digest.replace('sha256:', '')}`,
    bytes,
  }));
  const files = [
    { name: 'oci-layout', bytes: Buffer.from('{"imageLayoutVersion":"1.0.0"}') },
    { name: 'index.json', bytes: Buffer.from(JSON.stringify(index)) },
    ...blobs,
  ];
  await writeFile(file, await tarOf(files));
}

interface Entry {
  readonly name: string;
  readonly mode?: number;
  readonly bytes?: Buffer;
  readonly linkname?: string;
}

function blobOf(content: string | Buffer): { descriptor: { digest: string; size: number }; bytes: Buffer } {
  const bytes = Buffer.from(content);
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  return { descriptor: { digest, size: bytes.length }, bytes };
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
