import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { bundleOf } from './bundle.contract.ts';
import { ContainerWorld, until } from './container-world.contract.ts';
import type { IsolationKind } from './containers.ts';
import { codeOf, jobsPerRound, workOf } from './round-work.contract.ts';

const rounds = 50;

/** A manager that is killed at any instant of its work, again and again, and what is true in the end. */
export function describeKilledManager(kind: IsolationKind): void {
  describe(`a manager that is killed, in ${kind}`, () => {
    test(`${rounds} times: nothing ran twice, nothing is left, every exit code is known`, {
      timeout: 300_000,
    }, async () => {
      const world = await ContainerWorld.open(kind, { pollMilliseconds: 100 });
      await world.containers.close();
      const program = await bundleOf('killed-manager-program.contract.ts', world.stateFolder);
      for (let round = 0; round < rounds; round++) {
        const manager = spawn(process.execPath, [program, world.stateFolder, kind, String(round)], {
          stdio: ['ignore', 'pipe', 'ignore'],
        });
        const exit = once(manager, 'exit');
        await once(manager.stdout, 'data');
        await Promise.race([exit, wait(Math.random() * 500)]);
        expect(manager.exitCode).toBeNull();
        manager.kill('SIGKILL');
        await exit;
      }
      await world.nextManager();
      const work = Array.from({ length: rounds }, (_, round) =>
        workOf(round, world.stateFolder).map((spec, index) => ({
          spec,
          line: `${round}/${index}`,
          code: codeOf(round, index),
        })),
      ).flat();
      for (const { spec } of work) {
        await world.pod(spec.podUid);
        await world.containers.start(spec);
      }
      const isLong = ({ code }: { code: number }) => code === 137;
      await until(() => work.every(({ spec }) => world.containers.state(spec)?.is !== 'starting'));
      for (const { spec } of work.filter(isLong)) await world.containers.kill(spec);
      const ends = await Promise.all(work.map(({ spec }) => world.ended(spec)));
      expect(ends.map(({ exitCode, problem }) => ({ exitCode, problem }))).toEqual(
        work.map(({ code }) => ({ exitCode: code, problem: undefined })),
      );
      const ledger = readFileSync(join(world.stateFolder, 'ledger'), 'utf8').trim().split('\n');
      expect(ledger.filter((line, index) => ledger.indexOf(line) !== index)).toEqual([]);
      // One that is killed may not have come to its first line; all others have.
      const expected = work.filter(one => !isLong(one)).map(({ line }) => line);
      expect(ledger.filter(line => !line.endsWith(`/${jobsPerRound}`)).toSorted()).toEqual(
        expected.toSorted(),
      );
      await world.close();
      expect(processesOf(world.stateFolder)).toEqual([]);
    });
  });
}

/** The words of every process that has to do with a state folder. */
function processesOf(stateFolder: string): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8') + readFileSync(`/proc/${pid}/environ`, 'utf8')];
      } catch {
        return [];
      }
    })
    .filter(text => text.includes(stateFolder));
}
