import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extract } from 'tar-stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeImages } from './image-from-folder.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'afloat-image-test-'));
  await mkdir(join(folder, 'root/bin'), { recursive: true });
  await writeFile(join(folder, 'root/bin/run'), 'program', { mode: 0o755 });
  await symlink('run', join(folder, 'root/bin/link'));
});
afterEach(() => rm(folder, { recursive: true }));

async function image(file: string): Promise<Map<string, { mode: number; text: string; to: string }>> {
  const path = join(folder, file);
  const layers = [{ folder: join(folder, 'root') }];
  await writeImages([{ name: 'afloat.test/image:1', layers, command: ['run'] }], path);
  return entriesOf(await readFile(path));
}

async function entriesOf(tar: Buffer): Promise<Map<string, { mode: number; text: string; to: string }>> {
  const entries = new Map<string, { mode: number; text: string; to: string }>();
  const archive = extract();
  archive.end(tar);
  for await (const entry of archive) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    const { name, mode = 0, linkname } = entry.header;
    entries.set(name, { mode, text: Buffer.concat(chunks).toString('latin1'), to: linkname ?? '' });
  }
  return entries;
}

test('an image names itself, its command and its layer, each by digest', async () => {
  const entries = await image('image.tar');
  const blob = (digest: string) => entries.get(`blobs/sha256/${digest.replace('sha256:', '')}`)?.text ?? '';
  const [described] = JSON.parse(entries.get('index.json')?.text ?? '').manifests;
  expect(described.annotations).toEqual({ 'io.containerd.image.name': 'afloat.test/image:1' });
  const manifest = JSON.parse(blob(described.digest));
  const config = JSON.parse(blob(manifest.config.digest));
  expect(config.config.Cmd).toEqual(['run']);
  const [layer] = manifest.layers;
  expect(config.rootfs.diff_ids).toEqual([layer.digest]);
  const bytes = Buffer.from(blob(layer.digest), 'latin1');
  expect(layer).toMatchObject({ size: bytes.length });
  expect(layer.digest).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`);

  const files = await entriesOf(bytes);
  expect([...files.keys()]).toEqual(['bin/', 'bin/link', 'bin/run']);
  expect(files.get('bin/run')).toEqual({ mode: 0o755, text: 'program', to: '' });
  expect(files.get('bin/link')?.to).toBe('run');
});

test('the same folder gives the same bytes', async () => {
  await image('one.tar');
  await image('two.tar');
  expect(await readFile(join(folder, 'one.tar'))).toEqual(await readFile(join(folder, 'two.tar')));
});

test('images that stand on the same folder share its layer, and a folder lies where it is told to', async () => {
  const path = join(folder, 'two.tar');
  const base = { folder: join(folder, 'root') };
  const image = (name: string, at: string) => ({
    ...{ name, layers: [base, { folder: join(folder, 'root/bin'), at }], entrypoint: ['run'] },
  });
  await writeImages([image('afloat.test/one:1', 'a'), image('afloat.test/two:1', 'b')], path);
  const entries = await entriesOf(await readFile(path));
  const blob = (digest: string) => entries.get(`blobs/sha256/${digest.replace('sha256:', '')}`)?.text ?? '';
  const { manifests } = JSON.parse(entries.get('index.json')?.text ?? '');
  const [one, two] = manifests.map(({ digest }: { digest: string }) => JSON.parse(blob(digest)));
  expect(one.layers[0]).toEqual(two.layers[0]);
  expect(JSON.parse(blob(one.config.digest)).config.Entrypoint).toEqual(['run']);
  const upper = await entriesOf(Buffer.from(blob(two.layers[1].digest), 'latin1'));
  expect([...upper.keys()]).toEqual(['b/', 'b/link', 'b/run']);
});
