import { createWriteStream } from 'node:fs';
import { mkdir, open, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { type Header, pack } from 'tar-stream';
import { type BadInput, secret } from './bad-input.ts';

/** A bad input that is no natural file of a repository: it is made in an empty folder before the call. */
export interface MadeInput extends BadInput {
  readonly make: (folder: string) => Promise<unknown>;
  /** Why it cannot be made here. */
  readonly skip?: string | undefined;
}

const invalid = 3;
const megabyte = 1024 * 1024;

/** A record whose bytes are the point. */
function aRecord(name: string, bytes: string | Uint8Array, want: string): MadeInput {
  return {
    name,
    make: folder => writeFile(join(folder, 'cloud.yaml'), bytes),
    words: ['plan', 'cloud.yaml'],
    code: invalid,
    want: [want],
  };
}

const bomb = [
  'a: &a0 [x, x, x, x, x, x, x, x, x]',
  ...Array.from({ length: 20 }, (_, at) => `b${at}: &a${at + 1} [${`*a${at}, `.repeat(9)}]`),
].join('\n');
const stairs = Array.from({ length: 1000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n');

const records: readonly MadeInput[] = [
  aRecord('binary file', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13, 0xff]), 'FileNotText'),
  aRecord('text with a NUL', `kind: a\nname: "${secret}\0"\n`, 'FileNotText 2:22'),
  aRecord('text that is not UTF-8', Buffer.from('name: Z\xfcrich\n', 'latin1'), 'FileNotText'),
  aRecord('bomb of aliases', bomb, 'YamlTooComplex 6:15 b4[1]'),
  aRecord('million brackets', '['.repeat(megabyte), 'YamlTooComplex 1:65'),
  aRecord('million braces', '{a: '.repeat(megabyte / 4), 'YamlTooComplex 1:257'),
  aRecord('million dashes', '- '.repeat(megabyte / 2), 'YamlTooComplex 1:513'),
  aRecord('stairs of a thousand steps', stairs, 'YamlTooComplex 257:258'),
  aRecord('ten thousand documents', '--- {}\n'.repeat(10_000), 'YamlTooComplex 1001:1'),
  {
    ...aRecord('50 MB file', '', 'FileTooLarge'),
    make: folder => sparse(join(folder, 'cloud.yaml'), 50 * megabyte),
  },
  {
    ...aRecord('50 MB on standard input', '', 'FileTooLarge <stdin>'),
    words: ['plan', '-'],
    stdin: 'x'.repeat(50 * megabyte),
  },
  {
    ...aRecord('links that go round in a circle', '', 'FileUnreadable'),
    make: folder => symlink('cloud.yaml', join(folder, 'cloud.yaml')),
  },
  {
    ...aRecord('file that may not be read', '', 'FileUnreadable'),
    make: folder => writeFile(join(folder, 'cloud.yaml'), '', { mode: 0o000 }),
    skip: process.getuid?.() === 0 ? 'root may read everything' : undefined,
  },
  {
    ...aRecord('folder named like a file', '', 'FileEmpty'),
    make: folder => mkdir(join(folder, 'cloud.yaml')),
  },
];

/** A file with a size and no content: it costs no disk. */
async function sparse(path: string, size: number): Promise<void> {
  const file = await open(path, 'w');
  await file.truncate(size);
  await file.close();
}

const lifecycle = { name: 'lifecycle.yaml', text: 'service: hello\nversion: "1.0.0"\n' };

type Entry = Partial<Omit<Header, 'name'>> & { readonly name: string; readonly text?: string };

/** An archive with a good lifecycle.yaml and one bad entry. */
function anArchive(name: string, entry: Entry, want = 'PackageUnsafe'): MadeInput {
  return {
    name,
    make: async folder => writeFile(join(folder, 'package.tar'), await tarOf([lifecycle, entry])),
    words: ['validate', 'package.tar'],
    code: invalid,
    want: [want],
  };
}

async function tarOf(entries: readonly Entry[]): Promise<Buffer> {
  const archive = pack();
  for (const { text = '', ...header } of entries) archive.entry(header, text);
  archive.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Bytes in place of an archive. */
function aDamagedArchive(name: string, bytes: () => Promise<Uint8Array>): MadeInput {
  return {
    ...anArchive(name, { name: '' }, 'PackageInvalid'),
    make: async folder => writeFile(join(folder, 'package.tar'), await bytes()),
  };
}

const archives: readonly MadeInput[] = [
  anArchive('archive that climbs out', { name: '../../escape.yaml', text: 'a: 1\n' }),
  anArchive('archive with an absolute path', { name: '/etc/escape.yaml', text: 'a: 1\n' }),
  anArchive('archive with a link out', {
    name: 'passwd.yaml',
    type: 'symlink',
    linkname: '../../etc/passwd',
  }),
  anArchive('archive with an absolute link', {
    name: 'passwd.yaml',
    type: 'symlink',
    linkname: '/etc/passwd',
  }),
  anArchive('archive with a hard link out', { name: 'passwd.yaml', type: 'link', linkname: '../etc/passwd' }),
  anArchive('archive with a device', { name: 'null', type: 'character-device' }),
  anArchive('archive with a file twice', { ...lifecycle }),
  aDamagedArchive('archive cut in half', async () => {
    const whole = gzipSync(await tarOf([lifecycle, { name: 'big', text: 'x'.repeat(9999) }]));
    return whole.subarray(0, whole.length / 2);
  }),
  aDamagedArchive('archive that is none', async () =>
    Buffer.from('Dear operator, this is a letter.\n'.repeat(99)),
  ),
  aDamagedArchive('archive of no bytes', async () => Buffer.alloc(0)),
  {
    ...anArchive('archive that swells', { name: '' }, 'PackageTooLarge'),
    make: folder =>
      pipeline(
        zeros(300 * megabyte),
        createGzip({ level: 1 }),
        createWriteStream(join(folder, 'package.tar')),
      ),
  },
  {
    ...anArchive('package with a link out', { name: '' }),
    make: async folder => {
      await mkdir(join(folder, 'package'));
      await writeFile(join(folder, 'package', lifecycle.name), lifecycle.text);
      await symlink('/etc/passwd', join(folder, 'package', 'passwd.yaml'));
    },
    words: ['validate', 'package'],
  },
  {
    ...anArchive('package with a file of 50 MB', { name: '' }, 'PackageTooLarge'),
    make: async folder => {
      await mkdir(join(folder, 'package'));
      await writeFile(join(folder, 'package', lifecycle.name), lifecycle.text);
      await sparse(join(folder, 'package', 'image.raw'), 50 * megabyte);
    },
    words: ['validate', 'package'],
  },
];

function* zeros(size: number): Generator<Uint8Array> {
  const chunk = new Uint8Array(megabyte);
  for (let left = size; left > 0; left -= chunk.length) yield chunk;
}

export const madeCases: readonly MadeInput[] = [...records, ...archives];
