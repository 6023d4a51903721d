import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { RuntimeCase } from './runtime-case.contract.ts';
import type { RuntimeWorld } from './runtime-world.ts';

/** Cases about one thing; the key is the sentence that must be true. */
export interface RuntimeTopic {
  readonly topic: string;
  readonly cases: Readonly<Record<string, (run: RuntimeCase) => Promise<void>>>;
}

const caseTimeout = 600_000;

/** Waiting is nearly all that cases do, so many run at once; more would only make the machine too slow for their deadlines. */
const atOnce = 20;

/** One vitest suite of that name. One world for all of it, a namespace for each case. */
export function runTopics(
  name: string,
  topics: readonly RuntimeTopic[],
  start: () => Promise<RuntimeWorld>,
): void {
  vi.setConfig({ maxConcurrency: atOnce });
  describe.concurrent(name, () => {
    let world: RuntimeWorld;
    beforeAll(async () => {
      world = await start();
    }, 1_200_000);
    afterAll(() => world?.close(), 60_000);
    for (const { topic, cases } of topics) {
      describe(topic, () => {
        for (const [sentence, check] of Object.entries(cases)) {
          test(sentence, { timeout: caseTimeout }, async ({ skip }) => {
            const difference = world.differences?.find(one => [sentence, topic].includes(one.leavesOut));
            if (difference) skip(difference.because);
            const run = new RuntimeCase(world, await world.makeNamespace());
            try {
              await check(run);
            } finally {
              await run.end();
            }
          });
        }
      });
    }
    test('every difference is one of the cases or topics', () => {
      const known = new Set(topics.flatMap(({ topic, cases }) => [topic, ...Object.keys(cases)]));
      const unknown = world.differences?.filter(one => !known.has(one.leavesOut)) ?? [];
      expect(unknown).toEqual([]);
    });
  });
}
