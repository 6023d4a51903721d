import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ContainerState } from '../../container/containers.ts';
import { aContainer, ended, now } from './a-pod.contract.ts';
import type { ObservedRun } from './observed-pod.ts';
import { backOffSeconds, goDuration, kubeletBackOff, runsAgain } from './restart.ts';

function runs(...states: readonly ContainerState[]): readonly ObservedRun[] {
  return states.map((state, attempt) => ({ id: { podUid: 'u', name: 'main', attempt }, state, probes: {} }));
}

/** A run that began so many seconds after the test's beginning, and how long it took. */
function run(beginsAt: number, seconds: number): ContainerState {
  const time = (at: number) => `${new Date(now + at * 1000).toISOString().slice(0, 19)}Z`;
  return { is: 'ended', exitCode: 1, startedAt: time(beginsAt), finishedAt: time(beginsAt + seconds) };
}

describe('the wait before the next run', () => {
  test.each<[string, readonly ContainerState[], number]>([
    ['none before the second run', [ended(1)], 0],
    ['10 s before the third: there was no wait before the second', [run(0, 1), run(1, 1)], 10],
    ['20 s after a wait of 10', [run(0, 1), run(11, 1)], 20],
    ['40 s after a wait that looks a second shorter than 20', [run(0, 1), run(20, 1)], 40],
    ['at most 5 minutes', [run(0, 1), run(301, 1)], 300],
    ['none when the last run was longer than 10 minutes', [run(0, 1), run(301, 601)], 0],
  ])('%s', (_, states, want) => {
    expect(backOffSeconds(runs(...states), kubeletBackOff)).toBe(want);
  });

  test('whoever restarts as told waits 0, 10, 20, 40, 80, 160, 300, 300 ... however short its runs are', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 599 }), { minLength: 9, maxLength: 9 }), lengths => {
        const waits: number[] = [];
        const all: ContainerState[] = [];
        let at = 0;
        for (const seconds of lengths) {
          all.push(run(at, seconds));
          const wait = backOffSeconds(runs(...all.slice(-2)), kubeletBackOff);
          waits.push(wait);
          at += seconds + wait;
        }
        expect(waits).toEqual([0, 10, 20, 40, 80, 160, 300, 300, 300]);
      }),
    );
  });
});

test.each([
  [10, '10s'],
  [40, '40s'],
  [80, '1m20s'],
  [300, '5m0s'],
])('%d seconds are %s, as Go says it', (seconds, want) => {
  expect(goDuration(seconds)).toBe(want);
});

test('a rule of the container beats its policy, and its policy that of the Pod', () => {
  const rules = [{ action: 'Restart', exitCodes: { operator: 'NotIn' as const, values: [3] } }];
  const own = aContainer('main', { restartPolicy: 'Never', restartPolicyRules: rules });
  const spec = { containers: [own], restartPolicy: 'OnFailure' as const };
  expect([3, 4].map(code => runsAgain(own, spec, code))).toEqual([false, true]);
  expect(runsAgain(aContainer('other'), spec, 3)).toBe(true);
});
