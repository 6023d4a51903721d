import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { claim, claimedBy } from './claim.ts';
import { type ForwarderFiles, forwarderFiles } from './forwarder-files.ts';
import { ownIdentity } from './forwarder-identity.ts';

describe.skipIf(process.platform !== 'linux')('a claim', () => {
  let folder = '';
  let files: ForwarderFiles;
  let other: ChildProcess;
  const mine = ownIdentity();
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'afloat-claim-'));
    files = forwarderFiles(folder);
    other = spawn('sleep', ['60']);
    await once(other, 'spawn');
  });
  afterEach(() => {
    other.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  test('is had by the first who asks, and again by the same', () => {
    expect(claimedBy(files)).toBeUndefined();
    expect(claim(files, mine)).toBe(true);
    expect(claim(files, mine)).toBe(true);
    expect(claim(files, ownIdentity(other.pid))).toBe(false);
    expect(claimedBy(files)).toBe(mine);
  });

  test('ends with its process', async () => {
    expect(claim(files, ownIdentity(other.pid))).toBe(true);
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(claimedBy(files)).toBeUndefined();
    expect(claim(files, mine)).toBe(true);
    expect(readdirSync(files.claims)).toEqual(['2']);
  });

  test('of a process whose id was used again is nobody’s', () => {
    const [pid, start, boot] = mine.split(' ');
    expect(claim(files, `${pid} ${Number(start) - 1} ${boot}`)).toBe(true);
    expect(claimedBy(files)).toBeUndefined();
    expect(claim(files, mine)).toBe(true);
  });

  test('is given over by who has it', () => {
    const old = ownIdentity(other.pid);
    expect(claim(files, old)).toBe(true);
    expect(claim(files, mine, old)).toBe(true);
    expect(claimedBy(files)).toBe(mine);
  });
});
