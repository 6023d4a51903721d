import { describe, expect, test } from 'vitest';
import type { TrafficReport } from '../../traffic/traffic.ts';
import { decideSoak, type SoakInput } from './decide-soak.ts';
import type { Decision } from './decision.ts';

function aReport(ready: number, canWeigh = true): TrafficReport {
  return { exists: true, canWeigh, slices: { green: { weight: 100, out: 'no', ready } } };
}

function decide(more: Partial<SoakInput> = {}): Decision {
  const slices = ['green'];
  return decideSoak({
    report: aReport(1),
    slices,
    elapsed: 0,
    soakSeconds: 3600,
    maxErrorPercent: 5,
    ...more,
  });
}

const rows: { says: string; decision: Decision; want: object }[] = [
  {
    says: 'lasts its time',
    decision: decide({ elapsed: 3590 }),
    want: { wait: 5, because: 'the old slice is kept beside green for 3600 s' },
  },
  {
    says: 'is looked at less often where nothing can be seen',
    decision: decide({ report: aReport(1, false) }),
    want: { wait: 60 },
  },
  { says: 'waits no longer than it lasts', decision: decide({ elapsed: 3599 }), want: { wait: 1 } },
  { says: 'is done when its time is over', decision: decide({ elapsed: 3600 }), want: { done: true } },
  { says: 'is done when a person ends it', decision: decide({ endNow: true }), want: { done: true } },
  {
    says: 'does not let the old slice go while the new one does not answer',
    decision: decide({ elapsed: 9999, report: aReport(0) }),
    want: { wait: 1, because: 'no address of slice green is ready' },
  },
  {
    says: 'fails where the new slice died and the old one stands ready',
    decision: decide({
      report: {
        ...aReport(0),
        slices: { green: { weight: 100, out: 'no', ready: 0 }, blue: { weight: 0, out: 'yes', ready: 2 } },
      },
    }),
    want: { failed: 'NotReady' },
  },
  {
    says: 'fails as soon as too many requests do',
    decision: decide({ watched: { green: { requests: 50, errors: 5 } } }),
    want: { failed: 'TooManyErrors' },
  },
  {
    says: 'fails at its last moment too',
    decision: decide({ elapsed: 3600, watched: { green: { requests: 5, errors: 5 } } }),
    want: { failed: 'TooManyErrors' },
  },
  {
    says: 'goes on where the old slice failed as much',
    decision: decide({
      watched: { green: { requests: 50, errors: 5 } },
      baseline: { requests: 1000, errors: 90 },
    }),
    want: { wait: 5 },
  },
];

describe('a soak', () => {
  test.each(rows)('$says', ({ decision, want }) => {
    expect(decision).toMatchObject(want);
  });
});
