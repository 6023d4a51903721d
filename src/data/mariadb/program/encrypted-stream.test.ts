import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { decrypted, encrypted, parseKey } from './encrypted-stream.ts';

const key = Buffer.alloc(32, 7);
const frame = 1024 * 1024;

async function all(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of source) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A stream that is cut into pieces of some size. */
function pieces(bytes: Buffer, size: number): AsyncIterable<Buffer> {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size));
  return Readable.from(parts);
}

describe('a backup at rest', () => {
  it.each([0, 1, 1000, frame - 1, frame, frame + 1, 3 * frame])(
    '%i bytes come back, however they are cut',
    async size => {
      const text = randomBytes(size);
      const file = await all(encrypted(pieces(text, 70_001), key));
      expect(file.length).toBe(56 + size + 16 * (Math.floor(size / frame) + 1));
      expect((await all(decrypted(pieces(file, 300_007), key))).equals(text)).toBe(true);
    },
  );

  it('is never the same twice', async () => {
    const once = await all(encrypted(pieces(Buffer.from('a'), 9), key));
    expect((await all(encrypted(pieces(Buffer.from('a'), 9), key))).equals(once)).toBe(false);
  });

  it('knows another key from damage', async () => {
    const file = await all(encrypted(pieces(Buffer.from('text'), 9), key));
    await expect(all(decrypted(pieces(file, 9), Buffer.alloc(32, 8)))).rejects.toMatchObject({
      code: 'BackupKeyWrong',
    });
  });

  it.each([
    [
      'a changed byte',
      (file: Buffer) =>
        Buffer.concat([file.subarray(0, 100), Buffer.from([(file[100] ?? 0) ^ 1]), file.subarray(101)]),
    ],
    ['a missing end', (file: Buffer) => file.subarray(0, file.length - 1)],
    ['a missing last frame', (file: Buffer) => file.subarray(0, 56 + frame + 16)],
    [
      'frames in another order',
      (file: Buffer) =>
        Buffer.concat([
          file.subarray(0, 56),
          file.subarray(56 + frame + 16, 56 + 2 * (frame + 16)),
          file.subarray(56, 56 + frame + 16),
          file.subarray(56 + 2 * (frame + 16)),
        ]),
    ],
    ['more at its end', (file: Buffer) => Buffer.concat([file, Buffer.from('x')])],
    ['nothing but a head', (file: Buffer) => file.subarray(0, 56)],
    ['half a head', (file: Buffer) => file.subarray(0, 20)],
    ['another beginning', (file: Buffer) => Buffer.concat([Buffer.from('GZIPGZIP'), file.subarray(8)])],
  ])('%s is noticed', async (_, change) => {
    const file = await all(encrypted(pieces(randomBytes(2 * frame + 5), frame), key));
    await expect(all(decrypted(pieces(change(file), 99_999), key))).rejects.toMatchObject({
      code: 'BackupDamaged',
    });
  });

  it('a key is 32 bytes, raw or in a text', () => {
    const raw = Buffer.from(Array.from({ length: 32 }, (_, byte) => byte + 200));
    for (const text of [
      raw,
      Buffer.from(`${raw.toString('hex')}\n`),
      Buffer.from(`${raw.toString('base64')}\n`),
    ])
      expect(parseKey(text).equals(raw)).toBe(true);
    expect(() => parseKey(Buffer.from('secret'))).toThrow(
      expect.objectContaining({ code: 'DataTaskInvalid' }),
    );
  });
});
