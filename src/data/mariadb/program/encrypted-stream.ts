/**
 * A backup at rest: AES-256-GCM in frames, so that it is written and read as a stream, and no byte is handed on before it is proved.
 *
 *     "AFLOATB1"  8 bytes
 *     salt       32 bytes   the file's own key is HKDF-SHA256(key, salt, "afloat backup 1")
 *     key check  16 bytes   HKDF-SHA256(key, salt, "afloat backup 1 check"): tells a wrong key from a damaged file
 *     frames                each 1 MiB of text (the last one less, perhaps nothing), then a tag of 16 bytes
 *
 * The nonce of a frame is 12 bytes: 1 in the first byte of the last frame and 0 in others, three zeros, the number of the frame in 8
 * bytes. A file that lacks its end, or whose frames changed places, does not open.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { CodedError } from '../../../base/coded-error.ts';

const magic = Buffer.from('AFLOATB1');
const saltBytes = 32;
const checkBytes = 16;
const tagBytes = 16;
const frameBytes = 1024 * 1024;
const headBytes = magic.length + saltBytes + checkBytes;

/** A key is 32 bytes: raw, or as 64 hex digits or base64 in a text file. */
export function parseKey(content: Buffer): Buffer {
  if (content.length === 32) return content;
  const text = content.toString('latin1').trim();
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (key.length === 32) return key;
  throw new CodedError('DataTaskInvalid', 'the key of backups is not 32 bytes, raw, as hex or as base64');
}

/** A key for another purpose, made of the key of backups. */
export function derivedKey(key: Buffer, salt: Buffer, purpose: string, bytes = 32): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, purpose, bytes));
}

/** What is written for some text. */
export async function* encrypted(text: AsyncIterable<Buffer>, key: Buffer): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes);
  yield Buffer.concat([magic, salt, derivedKey(key, salt, 'afloat backup 1 check', checkBytes)]);
  const own = derivedKey(key, salt, 'afloat backup 1');
  let number = 0;
  for await (const [frame, isLast] of frames(text, frameBytes)) {
    const cipher = createCipheriv('aes-256-gcm', own, nonce(number++, isLast));
    const body = cipher.update(frame);
    cipher.final();
    yield body;
    yield cipher.getAuthTag();
  }
}

/** The text of what was written. Fails with `BackupKeyWrong` or `BackupDamaged`, perhaps after some of the text. */
export async function* decrypted(file: AsyncIterable<Buffer>, key: Buffer): AsyncGenerator<Buffer> {
  const rest = file[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < headBytes) {
    const { value, done } = await rest.next();
    if (done) throw damaged('it is too short');
    head = Buffer.concat([head, value]);
  }
  if (!head.subarray(0, magic.length).equals(magic)) throw damaged('it is no backup of ours');
  const salt = head.subarray(magic.length, magic.length + saltBytes);
  const check = derivedKey(key, salt, 'afloat backup 1 check', checkBytes);
  if (!timingSafeEqual(check, head.subarray(magic.length + saltBytes, headBytes)))
    throw new CodedError('BackupKeyWrong', 'the backup was written with another key');
  const own = derivedKey(key, salt, 'afloat backup 1');
  let number = 0;
  for await (const [frame, isLast] of frames(after(head.subarray(headBytes), rest), frameBytes + tagBytes)) {
    yield opened(own, frame, nonce(number++, isLast));
  }
}

function opened(own: Buffer, frame: Buffer, iv: Buffer): Buffer {
  if (frame.length < tagBytes) throw damaged('its end is missing');
  const decipher = createDecipheriv('aes-256-gcm', own, iv);
  decipher.setAuthTag(frame.subarray(frame.length - tagBytes));
  const text = decipher.update(frame.subarray(0, frame.length - tagBytes));
  try {
    decipher.final();
  } catch (cause) {
    throw damaged('a part of it is not what was written', cause);
  }
  return text;
}

function damaged(why: string, cause?: unknown): CodedError {
  return new CodedError('BackupDamaged', `the backup is damaged: ${why}`, { cause });
}

function nonce(number: number, isLast: boolean): Buffer {
  const iv = Buffer.alloc(12);
  iv[0] = isLast ? 1 : 0;
  iv.writeBigUInt64BE(BigInt(number), 4);
  return iv;
}

async function* after(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  for (;;) {
    const { value, done } = await rest.next();
    if (done) return;
    yield value;
  }
}

/** Pieces of one size, and the last one of whatever is left: less than a whole one, so a text always has a last frame. */
async function* frames(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<[Buffer, boolean]> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of source) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes < size) continue;
    const all = Buffer.concat(pieces, bytes);
    let at = 0;
    for (; bytes - at >= size; at += size) yield [all.subarray(at, at + size), false];
    pieces = [all.subarray(at)];
    bytes -= at;
  }
  yield [Buffer.concat(pieces, bytes), true];
}
