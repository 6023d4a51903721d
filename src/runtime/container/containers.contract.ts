import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ContainerWorld, runsWith, until } from './container-world.contract.ts';
import type { IsolationKind } from './containers.ts';

/** What every kind of isolation promises of containers: starting, ending, exit codes, outputs, programs beside them. */
export function describeContainers(kind: IsolationKind): void {
  describe(`containers in ${kind}`, () => {
    let world: ContainerWorld;
    beforeAll(async () => {
      world = await ContainerWorld.open(kind);
      await world.pod('pod');
    });
    afterAll(() => world.close());

    test.each([0, 1, 3, 126, 127, 137, 255])(
      'a program that exits with %i ends with that',
      async exitCode => {
        const end = await world.run('pod', `exit ${exitCode}`);
        expect(end).toMatchObject({ exitCode });
        expect(end.problem).toBeUndefined();
      },
    );

    test.each([
      ['is not in the PATH', ['nosuch'], {}, /executable file not found in \$PATH$/],
      ['is not where the path says', ['/nosuch/program'], {}, /no such file or directory$/],
      ['looks like an option', ['-n', 'x'], {}, /executable file not found in \$PATH$/],
      ['is a folder', ['/tmp'], {}, /permission denied$/],
      ['shall work in a folder that is not there', ['true'], { workingDir: '/nosuch' }, /chdir/],
      ['holds a zero byte', ['true', 'a\0b'], {}, /zero byte/],
      ['is none', [], {}, /no command/],
    ])('a program that %s is a start error', async (_, command, more, message) => {
      const spec = world.spec('pod', command, more);
      await world.containers.start(spec);
      expect(await world.finish(spec)).toMatchObject({
        exitCode: 128,
        problem: 'StartError',
        message: expect.stringMatching(message),
        log: '',
      });
    });

    test('a program that cannot be started for its length is a start error', async context => {
      // Bash does not let a script know.
      if (realpathSync('/bin/sh').endsWith('/bash')) return context.skip('needs another shell');
      const spec = world.spec('pod', ['true', 'x'.repeat(200_000)], { workingDir: '/usr' });
      await world.containers.start(spec);
      expect(await world.finish(spec)).toMatchObject({
        problem: 'StartError',
        message: expect.stringMatching(/too long$/),
        log: '',
      });
    });

    test.each(['unshare', 'setsid', '/usr/bin/env', 'lead.*', 'lead'])(
      'a program may speak as %s would: its code and its log stay its own',
      async name => {
        const words = `${name}: failed to execute x: No such file or directory\nsecond\n`;
        for (const exitCode of [1, 126, 127]) {
          const end = await world.run('pod', `printf "$WORDS"; exit ${exitCode}`, { env: { WORDS: words } });
          expect(end).toMatchObject({ exitCode, log: words });
          expect(end.problem).toBeUndefined();
        }
      },
    );

    test('a script whose interpreter does not find its program has run', async () => {
      const script = join(world.stateFolder, 'script');
      writeFileSync(script, '#!/usr/bin/env nosuchprog\n', { mode: 0o755 });
      const spec = world.spec('pod', [script]);
      await world.containers.start(spec);
      const end = await world.finish(spec);
      expect(end).toMatchObject({ exitCode: 127, log: expect.stringContaining('nosuchprog') });
      expect(end.problem).toBeUndefined();
    });

    test('variables may have the names of those of the shim', async () => {
      const file = join(world.stateFolder, 'not-ours');
      const env = { event: file, run: '/nosuch', lead: 'x', running: 'x', code: 'x', first: 'x' };
      const { log } = await world.run('pod', 'echo $event $run $lead $running $code $first', { env });
      expect(log).toBe(`${file} /nosuch x x x x\n`);
      expect(existsSync(file)).toBe(false);
    });

    test('what a manifest says of POD_IP and POD_ROOT wins, but nothing wins over our mark', async () => {
      const env = { POD_IP: 'mine', POD_ROOT: 'own', AFLOAT_RUN: 'x' };
      const { log } = await world.run('pod', 'echo $POD_IP $POD_ROOT; [ "$AFLOAT_RUN" = x ] || echo ours', {
        env,
      });
      expect(log).toBe('mine own\nours\n');
    });

    test('the environment is what the spec says, whatever the names, and nothing of ours but what is promised', async () => {
      const env = { PLAIN: 'it\'s\n"$HOME" `x` \\', 'with.dot': 'a b', UID: '7', IFS: ':', EMPTY: '' };
      const spec = world.spec('pod', ['/usr/bin/env', '-0'], { env });
      await world.containers.start(spec);
      const { log } = await world.finish(spec);
      const got = Object.fromEntries(
        log
          .split('\0')
          .filter(Boolean)
          .map(entry => splitOnce(entry)),
      );
      expect(Object.keys(got).toSorted()).toEqual(
        ['AFLOAT_RUN', 'EMPTY', 'IFS', 'PATH', 'PLAIN', 'POD_IP', 'POD_ROOT', 'UID', 'with.dot'].toSorted(),
      );
      expect(got).toMatchObject(env);
    });

    test('signals are not ignored, no file of ours is open, and the session is its own', async () => {
      const file = join(world.stateFolder, 'open-here');
      const handle = openSync(file, 'w');
      const { log } = await world.run(
        'pod',
        'grep SigIgn /proc/self/status; ls -l /proc/self/fd; [ "$(cut -d" " -f6 /proc/$$/stat)" = $$ ] && echo own',
      );
      closeSync(handle);
      // From 32 on they belong to the C library, and what it ignores was ignored before us.
      const ignored = BigInt(`0x${/^SigIgn:\s*([0-9a-f]+)\n/.exec(log)?.[1] ?? 'f'}`);
      expect(ignored & 0x7fffffffn).toBe(0n);
      expect(log).not.toContain(file);
      expect(log).toMatch(/\nown\n$/);
    });

    test('user, group and working folder are those of the spec', async context => {
      if (process.getuid?.() !== 0) return context.skip('needs root');
      const { log } = await world.run('pod', 'id -u; id -g; id -G; pwd', {
        user: 1234,
        group: 99,
        workingDir: '/usr',
      });
      expect(log).toBe('1234\n99\n99\n/usr\n');
    });

    test('SIGTERM reaches a program that handles it, SIGKILL every one', async () => {
      const polite = await world.start('pod', 'trap "exit 7" TERM; echo ready; while :; do sleep 0.05; done');
      await until(async () => (await world.log(polite)) === 'ready\n');
      expect(world.containers.signal(polite, 'SIGTERM')).toBe(true);
      expect(await world.ended(polite)).toMatchObject({ exitCode: 7 });
      expect(world.containers.signal(polite, 'SIGTERM')).toBe(false);
      const stubborn = await world.start('pod', 'trap "" TERM; sleep 1000');
      world.containers.signal(stubborn, 'SIGKILL');
      expect(await world.ended(stubborn)).toMatchObject({ exitCode: 137 });
    });

    test.each([
      ['in the background', 'sleep 1000 & sleep 1000 & wait'],
      ['in sessions of their own', 'setsid sleep 1000 & setsid -f sleep 1000; sleep 1000'],
      [
        'behind two forks, deaf to hangups',
        '(nohup setsid sh -c "sleep 1000 & sleep 1000" >/dev/null 2>&1 &); sleep 1000',
      ],
      [
        'deaf to everything',
        'setsid sh -c "trap \\"\\" TERM HUP INT; while :; do sleep 1; done" & sleep 1000',
      ],
    ])('kill leaves no child %s', async (_, script) => {
      const token = `TOKEN=${Math.random()}`;
      const spec = await world.start('pod', script, { env: { TOKEN: token.slice(6) } });
      await until(() => runsWith(token));
      await world.containers.kill(spec);
      expect(runsWith(token)).toBe(false);
      expect(world.containers.state(spec)).toMatchObject({ is: 'ended', exitCode: 137 });
    });

    test('children that a program leaves behind end with it, before its end is told', async () => {
      const token = `TOKEN=${Math.random()}`;
      const spec = await world.start(
        'pod',
        'sleep 1000 & setsid sleep 1000 & (setsid nohup sleep 1000 &); sleep 0.1; exit 5',
        {
          env: { TOKEN: token.slice(6) },
        },
      );
      expect(await world.ended(spec)).toMatchObject({ exitCode: 5 });
      expect(runsWith(token)).toBe(false);
    });

    test('a run that was never begun is ended at once, and one that ended stays as it was', async () => {
      const spec = world.spec('pod', ['sleep', '1000']);
      const starting = world.containers.start(spec);
      await starting;
      await world.containers.kill(spec);
      expect(world.containers.state(spec)).toMatchObject({ is: 'ended', exitCode: 137 });
      const { exitCode } = await world.run('pod', 'exit 9');
      expect(exitCode).toBe(9);
    });

    test('a program beside it sees what it sees, and answers with its code and the end of its output', async () => {
      const spec = await world.start('pod', 'sleep 1000', { env: { A: 'x' }, workingDir: '/usr' });
      const seen = await world.containers.exec(
        spec,
        ['sh', '-c', 'echo $A $POD_IP; pwd; echo oops >&2; exit 4'],
        20,
      );
      const { ip } = await world.pod('pod');
      expect(seen).toEqual({ exitCode: 4, timedOut: false, output: `x ${ip}\n/usr\noops\n` });
      const long = await world.containers.exec(spec, ['sh', '-c', 'seq 1 10000'], 20);
      expect(long.output).toHaveLength(4096);
      expect(long.output.endsWith('\n10000\n')).toBe(true);
      expect(await world.containers.exec(spec, ['nosuch'], 20)).toMatchObject({ exitCode: 127 });
      await world.containers.kill(spec);
      await expect(world.containers.exec(spec, ['true'], 5)).rejects.toMatchObject({
        code: 'ContainerNotRunning',
      });
    });

    test.each([
      ['takes too long', 'setsid sleep 1000 & sleep 1000', true],
      ['ends', 'setsid sleep 1000 & sleep 1000 & exit 0', false],
    ])('a program beside it that %s leaves nothing', async (_, script, timedOut) => {
      const token = `EXEC=${Math.random()}`;
      const spec = await world.start('pod', 'sleep 1000');
      const result = await world.containers.exec(
        spec,
        ['env', token, 'sh', '-c', script],
        timedOut ? 0.3 : 20,
      );
      expect(result.timedOut).toBe(timedOut);
      expect(runsWith(token)).toBe(false);
      expect(world.containers.state(spec)?.is).toBe('running');
      await world.containers.kill(spec);
    });

    test('volumes are where the manifest says, under POD_ROOT', async () => {
      const volume = join(world.stateFolder, 'volume one');
      mkdirSync(volume, { recursive: true });
      writeFileSync(join(volume, 'app.conf'), 'hello\n');
      const { log } = await world.run(
        'pod',
        'cat $POD_ROOT/etc/afloat-test/app.conf $POD_ROOT/afloat-test/deep/er/app.conf $POD_ROOT/srv/afloat.conf',
        {
          mounts: [
            { source: volume, target: '/etc/afloat-test', readOnly: true },
            { source: volume, target: '/afloat-test/deep/er', readOnly: false },
            { source: join(volume, 'app.conf'), target: '/srv/afloat.conf', readOnly: true },
          ],
        },
      );
      expect(log).toBe('hello\nhello\nhello\n');
      expect(readdirSync('/')).not.toContain('afloat-test');
      expect(readdirSync('/etc')).not.toContain('afloat-test');
    });

    test('many runs at once all end with their own code, and each is told', async () => {
      const told = new Set<string>();
      world.containers.onChange(podUid => told.add(podUid));
      const specs = Array.from({ length: 40 }, (_, index) =>
        world.spec('pod', ['sh', '-c', `exit ${index}`]),
      );
      await Promise.all(specs.map(spec => world.containers.start(spec)));
      const ends = await Promise.all(specs.map(spec => world.ended(spec)));
      expect(ends.map(end => end.exitCode)).toEqual(specs.map((_, index) => index));
      expect(told).toContain('pod');
    });

    test('a closed Pod is gone with its processes and files; a forgotten run with its files', async () => {
      await world.pod('short');
      const spec = await world.start('short', 'sleep 1000', { env: { TOKEN: 'closed' } });
      const done = await world
        .run('short', 'exit 0')
        .then(() => world.containers.pods().find(({ pod }) => pod.uid === 'short'));
      expect(done?.runs).toHaveLength(2);
      await expect(world.containers.forget(spec)).rejects.toMatchObject({ code: 'ContainerRunning' });
      await world.containers.kill(spec);
      await world.containers.forget(spec);
      expect(world.containers.state(spec)).toBeUndefined();
      await world.start('short', 'sleep 1000', { env: { TOKEN: 'closed' } });
      await world.containers.closePod('short');
      expect(runsWith('TOKEN=closed')).toBe(false);
      expect(readdirSync(join(world.stateFolder, 'pods'))).not.toContain('short');
      await expect(world.containers.start(spec)).rejects.toMatchObject({ code: 'PodNotOpen' });
    });
  });
}

function splitOnce(entry: string): [string, string] {
  const index = entry.indexOf('=');
  return [entry.slice(0, index), entry.slice(index + 1)];
}
