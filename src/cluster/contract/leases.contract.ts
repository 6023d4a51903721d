import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { lead } from '../leader-election.ts';
import { type CaseWorld, eventually, refusal } from './case-world.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

const leaseType = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
const spec = {
  holderIdentity: 'one',
  leaseDurationSeconds: 15,
  acquireTime: '2026-01-01T00:00:00.123000Z',
  renewTime: '2026-01-01T00:00:01.456000Z',
  leaseTransitions: 3,
};

/** Stands for the lead until it is told to stop; `acts` says whether it has it. */
function candidate(world: CaseWorld, identity: string) {
  const stop = new AbortController();
  const state = { acts: () => false, stop: () => stop.abort(), running: Promise.resolve<unknown>(undefined) };
  const times = { leaseSeconds: 3, renewDeadlineSeconds: 2, retrySeconds: 0.2 };
  const lease = { namespace: world.namespace, name: world.name() };
  state.running = lead(
    world.cluster,
    { lease, identity, ...times },
    async term => {
      state.acts = term.mayAct;
      await new Promise<void>(resolve => term.signal.addEventListener('abort', () => resolve()));
    },
    stop.signal,
  );
  return state;
}

export const leaseCases: ContractTopic = {
  topic: 'leases',
  cases: {
    'a lease is kept as it was written': async world => {
      const made = await world.create(world.object(leaseType, 'one', { spec }));
      expect(made['spec']).toEqual(spec);
    },
    'of two that take a lease at the same version one gets a conflict': async world => {
      const made = await world.create(world.object(leaseType, 'one', { spec }));
      const take = (holderIdentity: string) =>
        world.cluster.update({ ...made, spec: { ...spec, holderIdentity } });
      await take('two');
      await refusal('Conflict', take('three'));
      expect((await world.now(made))['spec']).toMatchObject({ holderIdentity: 'two' });
    },
    'of two candidates one leads, and the other after it was told to stop': async world => {
      const both = [candidate(world, 'one'), candidate(world, 'two')];
      await eventually('a leader', async () => both.some(one => one.acts()));
      await sleep(1000);
      const leaders = both.filter(one => one.acts());
      expect(leaders).toHaveLength(1);
      leaders[0]?.stop();
      await eventually('the other leads', async () => both.some(one => one.acts() && one !== leaders[0]));
      for (const one of both) one.stop();
      expect(await Promise.all(both.map(one => one.running))).toEqual(['stopped', 'stopped']);
    },
  },
};
