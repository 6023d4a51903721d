import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ContainerWorld, until } from '../../container/container-world.contract.ts';
import { addressText, serviceRange } from '../address-range.ts';
import { ask, describeIsolation, serverScript } from '../isolation.contract.ts';
import { linksOf } from './bridge.ts';
import { findKeeper } from './network-keeper.ts';
import { whyNoNamespaces } from './probe-namespaces.ts';
import { runProgram } from './run-program.ts';

const reason = await whyNoNamespaces();
if (reason === undefined) describeIsolation('namespaces');

describe.skipIf(reason !== undefined)(`namespaces alone${reason === undefined ? '' : `: ${reason}`}`, () => {
  let world: ContainerWorld;
  beforeAll(async () => {
    world = await ContainerWorld.open('namespaces');
    await world.pod('pod');
  });
  afterAll(() => world.close());

  test('a program is the first process of its container, with the host name and the hosts file of its Pod', async () => {
    const { ip } = await world.pod('pod');
    const { log } = await world.run(
      'pod',
      'echo $$; hostname; tail -n 1 /etc/hosts; ls /sys/class/net >/dev/null; ls /proc | grep -c "^[0-9]"',
    );
    expect(log).toMatch(new RegExp(`^1\npod\n${ip}\tpod\n[234]\n$`));
  });

  test('the first process of a container does not hear SIGTERM unless it listens, as on a cluster', async () => {
    const spec = await world.start('pod', 'sleep 0.3; exit 4');
    expect(world.containers.signal(spec, 'SIGTERM')).toBe(true);
    expect(await world.ended(spec)).toMatchObject({ exitCode: 4 });
  });

  test('volumes can be read-only, and what a run writes beside them stays its own', async () => {
    const volume = join(world.stateFolder, 'config');
    mkdirSync(volume);
    writeFileSync(join(volume, 'app.conf'), 'hello\n');
    const script =
      'touch /etc/afloat-ro/new || echo refused; echo mine >/etc/afloat-own; cat /etc/afloat-own /etc/afloat-ro/app.conf';
    const { log } = await world.run('pod', script, {
      mounts: [{ source: volume, target: '/etc/afloat-ro', readOnly: true }],
    });
    expect(log).toMatch(/refused\nmine\nhello\n$/);
    expect(readdirSync('/etc').filter(name => name.startsWith('afloat-'))).toEqual([]);
    expect(readdirSync(volume)).toEqual(['app.conf']);
  });

  test('a volume may cover the folder that our state is in', async () => {
    const volume = join(world.stateFolder, 'temporary');
    mkdirSync(volume);
    const above = `/${world.stateFolder.split('/')[1]}`;
    const { log, exitCode } = await world.run('pod', `echo hi >${above}/file; ls ${above}; exit 3`, {
      mounts: [{ source: volume, target: above, readOnly: false }],
    });
    expect({ log, exitCode }).toEqual({ log: 'file\n', exitCode: 3 });
    expect(readdirSync(volume)).toEqual(['file']);
  });

  test('a source that is not there is a start error that names it', async () => {
    const source = join(world.stateFolder, 'nosuch');
    const mounts = [{ source, target: '/etc/afloat-nosuch', readOnly: true }];
    expect(await world.run('pod', 'exit 0', { mounts })).toMatchObject({
      exitCode: 128,
      problem: 'StartError',
      message: expect.stringContaining(source),
    });
  });

  test('a folder is the root of a container, with its own writes, devices and processes', async () => {
    const root = await smallRoot(join(world.stateFolder, 'image'));
    const volume = join(world.stateFolder, 'data');
    mkdirSync(volume);
    const script =
      'echo $$; pwd; id -u; cat /etc/hosts | grep -c pod; echo x >/made; echo y >/link/data/f; echo z >/dev/null; [ -e /proc/1/stat ] && ls /';
    const { log } = await world.run('pod', script, {
      root,
      user: 65534,
      workingDir: '/work',
      mounts: [{ source: volume, target: '/link/data', readOnly: false }],
    });
    expect(log).toContain('1\n/work\n65534\n1\n');
    expect(readdirSync(root).toSorted()).toEqual([
      'bin',
      'etc',
      'lib',
      'lib64',
      'link',
      'real',
      'usr',
      'work',
    ]);
    const missing = world.spec('pod', ['nosuch'], { root });
    await world.containers.start(missing);
    expect(await world.finish(missing)).toMatchObject({
      problem: 'StartError',
      message: expect.stringContaining('$PATH'),
    });
    const nowhere = await world.run('pod', 'exit 0', { root, workingDir: '/nosuch' });
    expect(nowhere).toMatchObject({ problem: 'StartError', message: expect.stringContaining('chdir') });
    const inside = await world.start('pod', 'sleep 1000', { root });
    expect(await world.containers.exec(inside, ['/bin/sh', '-c', 'pwd; ls /work'], 20)).toMatchObject({
      output: '/\n',
    });
  });

  test('the machine can listen on every address for Services, and Pods reach it there', async () => {
    const address = addressText(serviceRange(world.containers.range).first + 77);
    await world.pod('host', { hostNetwork: true });
    const server = world.spec('host', [process.execPath, '-e', serverScript(address, 'service')]);
    await world.containers.start(server);
    await until(async () => (await world.log(server)) === 'listening\n');
    expect(await ask(address)).toBe('service');
    const script = `require('node:net').connect(5000, '${address}').pipe(process.stdout)`;
    const client = world.spec('pod', [process.execPath, '-e', script]);
    await world.containers.start(client);
    expect(await world.finish(client)).toMatchObject({ log: 'service' });
  });

  test('a keeper that was killed and a bridge that is gone are made again, and who runs keeps the network', async () => {
    const { ip } = await world.pod('kept');
    const spec = world.spec('kept', [process.execPath, '-e', serverScript('0.0.0.0', 'kept')]);
    await world.containers.start(spec);
    await until(async () => (await ask(ip)) === 'kept');
    await world.pod('idle');
    process.kill(findKeeper(world.stateFolder)?.pid ?? 0, 'SIGKILL');
    await until(() => findKeeper(world.stateFolder) === undefined);
    await runProgram(['ip', 'link', 'del', `afl${world.containers.range.slot}`]);
    await world.nextManager();
    for (const uid of ['kept', 'idle']) await world.pod(uid);
    await until(async () => (await ask(ip)) === 'kept');
    const again = await world.start('kept', 'sleep 1000');
    const other = await world.start('idle', 'sleep 1000');
    const script = `require('node:net').connect(5000, '${ip}').pipe(process.stdout)`;
    for (const one of [again, other]) {
      expect(await world.containers.exec(one, [process.execPath, '-e', script], 20)).toMatchObject({
        output: 'kept',
      });
    }
  });

  test('an address that was left is not given out at once by the next manager, and works at once when it is', async () => {
    const serve = async (uid: string) => {
      const { ip } = await world.pod(uid);
      const spec = world.spec(uid, [process.execPath, '-e', serverScript('0.0.0.0', uid)]);
      await world.containers.start(spec);
      await until(async () => (await world.log(spec)) === 'listening\n');
      expect(await ask(ip)).toBe(uid);
      await world.containers.closePod(uid);
      await world.nextManager();
      return ip;
    };
    const first = await serve('first');
    expect(await serve('second')).not.toBe(first);
    const third = await serve('third');
    rmSync(join(world.stateFolder, 'next-address'));
    await world.nextManager();
    // The machine remembers the hardware address of the last one there.
    const again = await serve('again');
    expect([first, third]).toContain(again);
  });

  test('taken down, nothing is left: no link, bridge, route, mount or process', async () => {
    const alone = await ContainerWorld.open('namespaces');
    const { range } = alone.containers;
    await Promise.all(['l1', 'l2', 'l3'].map(uid => alone.pod(uid)));
    await alone.start('l1', 'sleep 1000');
    const keeper = findKeeper(alone.stateFolder);
    expect(keeper).toBeDefined();
    expect(linksOf(range)).toHaveLength(3);
    await alone.close();
    expect(linksOf(range)).toEqual([]);
    expect(readdirSync('/sys/class/net')).not.toContain(`afl${range.slot}`);
    expect((await runProgram(['ip', 'route', 'show', 'table', 'all'])).stdout).not.toContain(
      serviceRange(range).cidr,
    );
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(alone.stateFolder);
    expect(findKeeper(alone.stateFolder)).toBeUndefined();
    await until(async () => !(await runProgram(['ps', '-ef'])).stdout.includes(alone.stateFolder));
  });
});

/** Enough of a machine to run a shell in. */
async function smallRoot(root: string): Promise<string> {
  for (const folder of ['bin', 'etc', 'usr', 'work', 'real'])
    mkdirSync(join(root, folder), { recursive: true });
  symlinkSync('/real', join(root, 'link'));
  for (const program of ['sh', 'ls', 'cat', 'sleep', 'id', 'grep']) {
    await cp(`/bin/${program}`, join(root, 'bin', program), { dereference: true });
    const { stdout } = await runProgram(['ldd', `/bin/${program}`]);
    for (const [library] of stdout.matchAll(/\/lib\S+/g)) {
      await cp(library, join(root, library), { dereference: true });
    }
  }
  return root;
}
