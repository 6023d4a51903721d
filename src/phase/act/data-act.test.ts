import { afterEach, expect, it } from 'vitest';
import type { DataDriver } from '../../data/data.ts';
import { ActWorld, emptyNotes } from '../../testing/act-world.ts';
import { aPart, aRun, aTask } from '../../testing/scripted-ports.ts';
import { dataAct } from './data-act.ts';

let world: ActWorld | undefined;
afterEach(() => world?.close());

it('a driver may run one task several times in a phase, told apart by a key, and finds each run again', async () => {
  world = await ActWorld.open(() => ({ exitCode: 0, seconds: 0, result: 'left' }));
  const told: (string | undefined)[] = [];
  const twice: DataDriver = {
    async run(_, { runTask }) {
      for (const key of ['first', 'second']) {
        const { state, reason, message, result } = await runTask('job/data', { STEP: key }, key);
        if (state !== 'done') return { state, reason, message };
        told.push(`${key} ${result}`);
      }
      return { state: 'done', reason: 'Done', message: '' };
    },
  };
  const data = [{ name: 'identity', driver: 'mariadb' }];
  const part = aPart([aTask('data', 'upgrade')], { data });
  const base = aRun({ new: { parts: [part], slices: ['blue'] } });
  const run = { ...base, owner: world.owner, move: { ...base.move, databases: ['identity'] } };
  const ports = { ...world.ports, data: () => twice };
  const act = dataAct('expand');
  for (let pass = 0; pass < 6; pass++) {
    const outcome = await act(run, ports, emptyNotes());
    await world.node.settle();
    if (outcome.kind === 'done') break;
  }
  expect(told.slice(-2)).toEqual(['first left', 'second left']);
  const jobs = await world.cluster.list({ apiVersion: 'batch/v1', kind: 'Job' }, { namespace: 'default' });
  expect(jobs.items).toHaveLength(2);
});
