import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CaseWorld } from './case-world.contract.ts';
import type { ContractCluster } from './contract-cluster.ts';

/** Cases about one thing; the key is the sentence that must be true. */
export interface ContractTopic {
  readonly topic: string;
  readonly cases: Readonly<Record<string, (world: CaseWorld) => Promise<void>>>;
}

/** How long a case may take on a busy machine. Garbage collection of a real cluster takes its time. */
const caseTimeout = 120_000;

export function runTopics(
  name: string,
  topics: readonly ContractTopic[],
  start: () => Promise<ContractCluster>,
): void {
  describe(name, () => {
    const sentences = new Set(topics.flatMap(topic => Object.keys(topic.cases)));
    for (const { topic, cases } of topics) {
      describe(topic, () => {
        let given: ContractCluster;
        beforeAll(async () => {
          given = await start();
        });
        afterAll(() => given?.close());
        let number = 0;
        for (const [sentence, check] of Object.entries(cases)) {
          number += 1;
          const id = `case-${number}`;
          test(sentence, { timeout: caseTimeout }, async ({ skip }) => {
            const difference = given.differences?.find(one => one.leavesOut === sentence);
            if (difference) skip(difference.because);
            const world = new CaseWorld(given, id);
            try {
              await check(world);
            } finally {
              world.end();
            }
          });
        }
        test('every difference is one of the cases', () => {
          const unknown = given.differences?.filter(one => !sentences.has(one.leavesOut)) ?? [];
          expect(unknown).toEqual([]);
        });
      });
    }
  });
}
