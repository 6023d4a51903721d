import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { identityLine, identityOf, isAlive, parseIdentity } from '../process/process-identity.ts';
import { ContainerWorld, runsWith, until } from './container-world.contract.ts';
import type { ContainerSpec, IsolationKind } from './containers.ts';

/** What the next manager finds: everything that runs, every exit code, and nothing that is somebody else's. */
export function describeAdoption(kind: IsolationKind): void {
  describe(`adoption in ${kind}`, () => {
    let world: ContainerWorld;
    beforeAll(async () => {
      world = await ContainerWorld.open(kind, { pollMilliseconds: 100 });
      await world.pod('pod');
    });
    afterAll(() => world.close());

    const folderOf = ({ name, attempt }: ContainerSpec) =>
      join(world.stateFolder, 'pods', 'pod', 'containers', name, String(attempt));

    test('what runs, runs on, and what ended meanwhile has its code', async () => {
      const long = await world.start('pod', 'sleep 1000', { env: { A: 'kept' } });
      const short = await world.start('pod', 'sleep 0.2; exit 6');
      const before = world.containers.state(long);
      const room = await world.pod('pod');
      await world.containers.close();
      await until(() => readdirSync(folderOf(short)).includes('exit'));
      await world.nextManager();
      expect(world.containers.state(long)).toEqual(before);
      expect(world.containers.state(short)).toMatchObject({ is: 'ended', exitCode: 6 });
      expect(await world.pod('pod')).toEqual(room);
      expect(world.containers.pods().map(({ pod, runs }) => [pod.uid, runs.map(run => run.name)])).toEqual([
        ['pod', [long.name, short.name]],
      ]);
      expect(await world.containers.exec(long, ['sh', '-c', 'echo $A'], 20)).toMatchObject({
        output: 'kept\n',
      });
      await world.containers.start(long);
      expect(world.containers.state(long)).toEqual(before);
      await world.containers.kill(long);
      expect(world.containers.state(long)).toMatchObject({ is: 'ended', exitCode: 137 });
    });

    test('a run of which only the folder was made is not known, and is started when asked for', async () => {
      const spec = world.spec('pod', ['sh', '-c', 'exit 8']);
      // What a manager leaves that was killed between the files and the shim.
      mkdirSync(folderOf(spec), { recursive: true });
      writeFileSync(join(folderOf(spec), 'run.sh'), 'exit 9\n');
      await world.nextManager();
      expect(world.containers.state(spec)).toBeUndefined();
      await world.containers.start(spec);
      expect(await world.ended(spec)).toMatchObject({ exitCode: 8 });
    });

    test('a run that another shim has taken on is not started again', async () => {
      const ledger = join(world.stateFolder, 'ledger');
      const spec = world.spec('pod', ['sh', '-c', `echo once >>${ledger}; sleep 1000`]);
      await world.containers.start(spec);
      await until(() => world.containers.state(spec)?.is === 'running');
      await world.nextManager();
      await Promise.all([world.containers.start(spec), world.containers.start(spec)]);
      await world.containers.kill(spec);
      expect(readFileSync(ledger, 'utf8')).toBe('once\n');
    });

    test('a shim that was killed: what it started is ended, and its status is unknown', async () => {
      const token = `TOKEN=${Math.random()}`;
      const spec = await world.start('pod', 'setsid sleep 1000 & sleep 1000', {
        env: { TOKEN: token.slice(6) },
      });
      await until(() => runsWith(token));
      const shim = parseIdentity(readFileSync(join(folderOf(spec), 'claim'), 'utf8'));
      expect(shim && isAlive(shim)).toBe(true);
      process.kill(shim?.pid ?? 0, 'SIGKILL');
      expect(await world.ended(spec)).toMatchObject({ exitCode: 137, problem: 'ContainerStatusUnknown' });
      expect(runsWith(token)).toBe(false);
    });

    test('after a restart of the machine nothing of before is taken for ours, and its status is unknown', async () => {
      const spec = await world.start('pod', 'exec sleep 1000');
      await world.containers.close();
      const pid = readFileSync(join(folderOf(spec), 'pid'), 'utf8');
      const claim = readFileSync(join(folderOf(spec), 'claim'), 'utf8');
      const earlier = (text: string) => text.replace(/[0-9a-f-]{36}/, '00000000-0000-0000-0000-000000000000');
      writeFileSync(join(folderOf(spec), 'pid'), earlier(pid));
      writeFileSync(join(folderOf(spec), 'claim'), earlier(claim));
      await world.nextManager();
      expect(world.containers.state(spec)).toMatchObject({
        exitCode: 137,
        problem: 'ContainerStatusUnknown',
      });
      const first = parseIdentity(pid);
      expect(first && isAlive(first)).toBe(true);
      process.kill(first?.pid ?? 0, 'SIGKILL');
    });

    test('a process that has got the number of one of ours is left alone', async () => {
      const bystander = await world.start('pod', 'exec sleep 1000');
      const victim = await world.start('pod', 'exec sleep 1000');
      const victimFirst = parseIdentity(readFileSync(join(folderOf(victim), 'pid'), 'utf8'));
      const other = parseIdentity(readFileSync(join(folderOf(bystander), 'pid'), 'utf8'));
      await world.containers.close();
      // The number of a process that runs, with the start time of one that does not.
      const forged = { pid: other?.pid ?? 0, started: '1', boot: other?.boot ?? '' };
      writeFileSync(join(folderOf(victim), 'pid'), `${identityLine(forged)}running\n`);
      const dead = { ...identityOf(process.pid), pid: process.pid, started: '1', boot: other?.boot ?? '' };
      rmSync(join(folderOf(victim), 'claim'));
      writeFileSync(join(folderOf(victim), 'forged'), identityLine(dead));
      linkSync(join(folderOf(victim), 'forged'), join(folderOf(victim), 'claim'));
      await world.nextManager();
      expect(world.containers.state(victim)).toMatchObject({
        exitCode: 137,
        problem: 'ContainerStatusUnknown',
      });
      expect(world.containers.signal(victim, 'SIGKILL')).toBe(false);
      await world.containers.kill(victim);
      expect(world.containers.state(bystander)?.is).toBe('running');
      if (victimFirst && isAlive(victimFirst)) process.kill(victimFirst.pid, 'SIGKILL');
      await world.containers.kill(bystander);
    });

    test('a Pod whose removal was begun is removed', async () => {
      await world.pod('half');
      const spec = await world.start('half', 'sleep 1000', { env: { TOKEN: 'half' } });
      await world.containers.close();
      rmSync(join(world.stateFolder, 'pods', 'half', 'pod.json'));
      await world.nextManager();
      expect(world.containers.pods().map(({ pod }) => pod.uid)).toEqual(['pod']);
      expect(world.containers.state(spec)).toBeUndefined();
      expect(runsWith('TOKEN=half')).toBe(false);
      expect(readdirSync(join(world.stateFolder, 'pods'))).toEqual(['pod']);
    });
  });
}
