import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from './container/container-world.contract.ts';
import type { IsolationKind } from './container/containers.ts';
import { openContainers } from './container/open-containers.ts';
import { canHaveSmallDisk, SmallDisk } from './container/small-disk.contract.ts';
import { addressNumber, addressText, wholeRange } from './isolation/address-range.ts';
import { identityLine, identityOf, isAlive, parseIdentity } from './process/process-identity.ts';
import { takeDownRuntime } from './take-down.ts';

const isRoot = process.getuid?.() === 0;
const kinds = (isRoot ? ['loopback', 'namespaces'] : ['loopback']) as readonly IsolationKind[];
const podOf = (uid: string) => ({
  uid,
  namespace: 'default',
  name: uid,
  hostname: uid,
  hostNetwork: false,
});

const loopback = addressNumber('127.0.0.1');

/** A folder in which Pods run whose manager has ended; answers with their first processes. */
async function runningIn(stateFolder: string, isolation: IsolationKind, pods = ['a']) {
  const containers = await openContainers({ stateFolder, isolation });
  await containers.adopt();
  for (const podUid of pods) {
    await containers.openPod(podOf(podUid));
    const command = ['/bin/sh', '-c', 'setsid sleep 1000 & sleep 1000'];
    const spec = { podUid, name: 'main', attempt: 0, command, env: {}, mounts: [] };
    await containers.start(spec);
    await until(() => containers.state(spec)?.is === 'running');
  }
  await containers.close();
  return pods.map(uid => {
    const text = readFileSync(join(stateFolder, 'pods', uid, 'containers', 'main', '0', 'pid'), 'utf8');
    const first = parseIdentity(text);
    if (!first) throw new Error(text);
    return first;
  });
}

describe.each(kinds)('taking down in %s', kind => {
  let base: string;
  let state: string;
  let copy: string;
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'afloat-take-down-')));
    state = join(base, 'state');
    copy = join(base, 'copy');
  });
  afterEach(async () => {
    for (const folder of [copy, state]) if (existsSync(folder)) await takeDownRuntime(folder);
    rmSync(base, { recursive: true });
  });

  test('a copy is refused while the original runs, and ends nothing of it', async () => {
    const [first] = await runningIn(state, kind);
    const forwarder = spawn('sleep', ['1000'], { stdio: 'ignore' });
    const identity = identityOf(forwarder.pid ?? 0);
    mkdirSync(join(state, 'forwarder', 'claims'), { recursive: true });
    writeFileSync(join(state, 'forwarder', 'claims', '1'), identity ? identityLine(identity).trim() : '');
    cpSync(state, copy, { recursive: true, verbatimSymlinks: true });
    const refusal = { code: 'StateFolderMoved', message: expect.stringContaining(state) };
    await expect(takeDownRuntime(copy)).rejects.toMatchObject(refusal);
    await expect(openContainers({ stateFolder: copy })).rejects.toMatchObject(refusal);
    expect(first && isAlive(first)).toBe(true);
    expect(identity && isAlive(identity)).toBe(true);
    await takeDownRuntime(state);
    expect(first && isAlive(first)).toBe(false);
    expect(identity && isAlive(identity)).toBe(false);
  });

  test('a copy of which nothing runs begins with addresses and marks of its own', async () => {
    await runningIn(state, kind);
    await takeDownRuntime(state);
    cpSync(state, copy, { recursive: true });
    const [first] = await runningIn(state, kind);
    const idOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'identity.json'), 'utf8')).id;
    const slotOf = (folder: string): number =>
      JSON.parse(readFileSync(join(folder, `addresses-${kind}.json`), 'utf8')).slot;
    // On loopback a range is in use where somebody listens, as programs of Pods do.
    const server = createServer();
    const address = kind === 'loopback' ? wholeRange({ kind, slot: slotOf(state) }).first : loopback;
    await once(server.listen(0, addressText(address)), 'listening');
    const [other] = await runningIn(copy, kind);
    server.close();
    expect(idOf(copy)).not.toBe(idOf(state));
    expect(slotOf(copy)).not.toBe(slotOf(state));
    await takeDownRuntime(copy);
    expect(other && isAlive(other)).toBe(false);
    expect(first && isAlive(first)).toBe(true);
  });

  test('a folder that was moved is refused while something of it runs, and is taken down where it was', async () => {
    const [first] = await runningIn(state, kind);
    renameSync(state, copy);
    await expect(takeDownRuntime(copy)).rejects.toMatchObject({ code: 'StateFolderMoved' });
    expect(first && isAlive(first)).toBe(true);
    renameSync(copy, state);
    await takeDownRuntime(state);
    expect(first && isAlive(first)).toBe(false);
    renameSync(state, copy);
    await takeDownRuntime(copy);
  });

  test('a file among the Pods is nobody’s business', async () => {
    await runningIn(state, kind);
    writeFileSync(join(state, 'pods', 'stray'), '');
    writeFileSync(join(state, 'pods', 'a', 'containers', 'stray'), '');
    await takeDownRuntime(state);
    expect(existsSync(join(state, 'pods', 'stray'))).toBe(true);
    expect(existsSync(join(state, 'pods', 'a'))).toBe(false);
  });

  test.skipIf(!canHaveSmallDisk)('needs no room on the disk', async () => {
    const disk = new SmallDisk(4);
    try {
      const folder = join(disk.folder, 'state');
      const [a, b] = await runningIn(folder, kind, ['a', 'b']);
      // Begun and not taken on by any shim.
      mkdirSync(join(folder, 'pods', 'a', 'containers', 'main', '1'));
      // Its shim was killed: nobody knows the exit code.
      const claim = readFileSync(join(folder, 'pods', 'b', 'containers', 'main', '0', 'claim'), 'utf8');
      process.kill(parseIdentity(claim)?.pid ?? Number.NaN, 'SIGKILL');
      // Another version of the program has another shim.
      rmSync(join(folder, 'shim'), { recursive: true });
      disk.fill();
      expect(disk.freeBytes()).toBe(0);
      await takeDownRuntime(folder);
      expect([a, b].map(first => first && isAlive(first))).toEqual([false, false]);
      expect(existsSync(join(folder, 'pods', 'a'))).toBe(false);
    } finally {
      disk.remove();
    }
  });
});
