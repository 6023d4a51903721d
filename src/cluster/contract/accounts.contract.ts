import { expect } from 'vitest';
import { configMapType, recordType, refOf, refusal } from './case-world.contract.ts';
import type { ContractTopic } from './run-topics.contract.ts';

const nobody = { user: 'nobody-in-particular' };
const master = { user: 'somebody', groups: ['system:masters'] };

export const accountCases: ContractTopic = {
  topic: 'accounts',
  cases: {
    'an account without rights is refused everything': async world => {
      const made = await world.create(world.record());
      const cluster = world.cluster.as(nobody);
      await refusal('Forbidden', cluster.get(refOf(made)));
      await refusal('Forbidden', cluster.list(recordType, world.mine));
      await refusal('Forbidden', cluster.create(world.configMap()));
      await refusal('Forbidden', cluster.delete(refOf(made)));
      const watch = (async () => {
        for await (const event of cluster.watch(configMapType, world.mine)) return event;
        return undefined;
      })();
      await refusal('Forbidden', watch);
    },
    'an account with rights by its group does what it may': async world => {
      const cluster = world.cluster.as(master);
      const made = await cluster.create(world.configMap());
      expect(await cluster.get(refOf(made))).toEqual(made);
    },
    'acting for an account changes nothing for who acts': async world => {
      world.cluster.as(nobody);
      const made = await world.create(world.configMap());
      expect(await world.now(made)).toEqual(made);
    },
  },
};
