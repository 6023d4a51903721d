import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ContainerWorld, until } from '../container/container-world.contract.ts';
import type { ContainerSpec, IsolationKind } from '../container/containers.ts';
import { addressNumber, podRange, serviceRange } from './address-range.ts';

/** A server of the machine's own Node: says who it is to everybody who connects. */
export const serverScript = (address: string, word: string) =>
  `require('node:net').createServer(s => s.end('${word}')).listen(5000, '${address}', () => console.log('listening'))`;

/** What the server at an address says; undefined when nobody answers. */
export function ask(host: string, port = 5000): Promise<string | undefined> {
  return new Promise(resolve => {
    const socket = createConnection({ host, port, timeout: 2000 });
    let text = '';
    socket.setEncoding('utf8').on('data', part => {
      text += part;
    });
    socket.on('end', () => resolve(text));
    socket.on('timeout', () => socket.destroy());
    socket.on('close', () => resolve(text || undefined));
    socket.on('error', () => resolve(undefined));
  });
}

/** What both kinds promise: addresses of a Pod's own, reachable from everywhere, and nothing left in the end. */
export function describeIsolation(kind: IsolationKind): void {
  describe(`isolation by ${kind}`, () => {
    let world: ContainerWorld;
    beforeAll(async () => {
      world = await ContainerWorld.open(kind);
    });
    afterAll(() => world.close());

    async function serve(podUid: string, word: string): Promise<ContainerSpec> {
      const { ip } = await world.pod(podUid);
      const own = kind === 'namespaces' ? '0.0.0.0' : ip;
      const spec = world.spec(podUid, [process.execPath, '-e', serverScript(own, word)]);
      await world.containers.start(spec);
      await until(async () => (await world.log(spec)) === 'listening\n');
      return spec;
    }

    test('each Pod has an address of its own in the range for Pods, and keeps it', async () => {
      const rooms = await Promise.all(['a1', 'a2', 'a3'].map(uid => world.pod(uid)));
      expect(new Set(rooms.map(({ ip }) => ip)).size).toBe(3);
      const { first, count } = podRange(world.containers.range);
      for (const { ip } of rooms) expect(addressNumber(ip) - first).toBeGreaterThan(1);
      for (const { ip } of rooms) expect(addressNumber(ip)).toBeLessThan(first + count);
      expect(await world.pod('a1')).toEqual(rooms[0]);
      expect(serviceRange(world.containers.range).first).toBe(first + count);
    });

    test('Pods on the same port answer side by side, to the machine and to each other', async () => {
      await serve('s1', 'one');
      const asking = await serve('s2', 'two');
      const [one, two] = [await world.pod('s1'), await world.pod('s2')];
      expect([await ask(one.ip), await ask(two.ip)]).toEqual(['one', 'two']);
      const script = `require('node:net').connect(5000, '${one.ip}').pipe(process.stdout)`;
      expect(await world.containers.exec(asking, [process.execPath, '-e', script], 20)).toMatchObject({
        output: 'one',
      });
    });

    test('a Pod on the network of the machine has the address of the machine', async () => {
      const room = await world.pod('host', { hostNetwork: true });
      expect(room.ip).toBe(room.hostIp);
      const spec = world.spec('host', [process.execPath, '-e', serverScript(room.ip, 'host')]);
      await world.containers.start(spec);
      await until(async () => (await world.log(spec)) === 'listening\n');
      expect(await ask(room.ip)).toBe('host');
    });

    test('a Pod has a hosts file from the beginning', async () => {
      const { folder, ip } = await world.pod('hosts');
      expect(readFileSync(join(folder, 'etc-hosts'), 'utf8')).toContain(`${ip}\thosts\n`);
    });

    test('a volume inside a volume is seen there', async () => {
      await world.pod('volumes');
      const outer = join(world.stateFolder, 'outer');
      const inner = join(world.stateFolder, 'inner');
      for (const folder of [outer, inner]) mkdirSync(folder);
      writeFileSync(join(outer, 'a'), 'outer\n');
      writeFileSync(join(inner, 'b'), 'inner\n');
      const { log } = await world.run('volumes', 'cat $POD_ROOT/srv/afloat/a $POD_ROOT/srv/afloat/in/b', {
        mounts: [
          { source: inner, target: '/srv/afloat/in', readOnly: false },
          { source: outer, target: '/srv/afloat', readOnly: false },
        ],
      });
      expect(log).toBe('outer\ninner\n');
    });

    test('two state folders at once do not get into each other', async () => {
      const other = await ContainerWorld.open(kind);
      expect(other.containers.range.slot).not.toBe(world.containers.range.slot);
      await other.pod('s1');
      await other.close();
      expect(await ask((await world.pod('s1')).ip)).toBe('one');
    });

    test('nothing is left: no process, no address, no folder of a Pod', async () => {
      const alone = await ContainerWorld.open(kind);
      await alone.pod('left');
      await alone.start('left', 'setsid sleep 1000 & sleep 1000');
      const { ip } = await alone.pod('left');
      await alone.containers.closePod('left');
      expect(await ask(ip)).toBeUndefined();
      expect(readdirSync(join(alone.stateFolder, 'pods'))).toEqual([]);
      expect(readdirSync(join(alone.stateFolder, 'events'))).toEqual([]);
      await alone.close();
    });
  });
}
