import { describe, expect, test } from 'vitest';
import type { SliceReport, TrafficReport } from '../../traffic/traffic.ts';
import { type DrainInput, decideDrain } from './decide-drain.ts';
import type { DrainDecision } from './decision.ts';

const serving: SliceReport = { weight: 50, out: 'no', ready: 1 };
const leaving = (inFlight: number): SliceReport => ({
  weight: 0,
  out: inFlight > 0 ? 'no' : 'yes',
  ready: 1,
  counts: { requests: 100, errors: 0, inFlight },
});
const unseen: SliceReport = { weight: 0, out: 'unknown', ready: 1 };

function decide(slices: TrafficReport['slices'], more: Partial<DrainInput> = {}): DrainDecision {
  return decideDrain({
    report: { exists: true, canWeigh: true, slices },
    slices: ['blue'],
    elapsed: 0,
    elapsedOut: 0,
    drainSeconds: 30,
    settleSeconds: 5,
    cutsAtDeadline: false,
    ...more,
  });
}

const rows: { says: string; decision: DrainDecision; want: DrainDecision }[] = [
  {
    says: 'a route that is not there is drained',
    decision: decide({}, { report: { exists: false, canWeigh: true, slices: {} } }),
    want: { done: true },
  },
  {
    says: 'its share goes to the others in proportion',
    decision: decide({
      blue: serving,
      a: { ...serving, weight: 30 },
      b: { ...serving, weight: 20 },
      c: { ...serving, weight: 0 },
    }),
    want: { set: { a: 60, b: 40 } },
  },
  {
    says: 'the last one leaves nobody',
    decision: decide({ blue: serving, green: { ...serving, weight: 0 } }),
    want: { set: {} },
  },
  {
    says: 'it stays while the others could not answer',
    decision: decide({ blue: serving, green: { ...serving, ready: 0 } }),
    want: { wait: 1, because: 'no address of slice green is ready to take over' },
  },
  {
    says: 'it is waited for while it has requests',
    decision: decide({ blue: leaving(3), green: serving }, { elapsed: 12 }),
    want: {
      wait: 1,
      because: '3 requests are in flight to slice blue; it has 30 s from when its traffic was taken',
    },
  },
  {
    says: 'it is done as soon as nothing is in flight',
    decision: decide({ blue: leaving(0), green: serving }),
    want: { done: true },
  },
  {
    says: 'it is done where nothing is left of it',
    decision: decide({ green: serving }),
    want: { done: true },
  },
  {
    says: 'it is given its time where nobody sees what is in flight',
    decision: decide({ blue: unseen, green: serving }, { elapsed: 25, elapsedOut: 15 }),
    want: {
      wait: 20,
      because: 'slice blue gets no more; nobody counts what is in flight, so it is given 35 s to finish',
    },
  },
  {
    says: 'its time is over where nobody sees what is in flight',
    decision: decide({ blue: unseen, green: serving }, { elapsed: 40, elapsedOut: 35 }),
    want: { done: true },
  },
  {
    says: 'where nobody sees what is in flight its time begins when it is seen to get no more, however long that took',
    decision: decide({ blue: unseen, green: serving }, { elapsed: 300, elapsedOut: 0 }),
    want: {
      wait: 35,
      because: 'slice blue gets no more; nobody counts what is in flight, so it is given 35 s to finish',
    },
  },
  {
    says: 'a node is given its time to hear of it where nobody counts, also by a package that says none is needed',
    decision: decide({ blue: unseen, green: serving }, { settleSeconds: 0, drainSeconds: 0 }),
    want: {
      wait: 3,
      because: 'slice blue gets no more; nobody counts what is in flight, so it is given 3 s to finish',
    },
  },
  {
    says: 'nothing is cut at the deadline by itself',
    decision: decide({ blue: leaving(1), green: serving }, { elapsed: 30 }),
    want: {
      overdue: 1,
      message:
        '1 request is in flight to slice blue after 30 s: it stays until they end, unless you accept that 1 is cut',
      wait: 1,
    },
  },
  {
    says: 'what is overdue is done when its work has ended',
    decision: decide({ blue: leaving(0), green: serving }, { elapsed: 3000 }),
    want: { done: true },
  },
  {
    says: 'what the package lets be cut is cut at the deadline',
    decision: decide({ blue: leaving(2) }, { elapsed: 30, cutsAtDeadline: true }),
    want: { done: true, cut: 2 },
  },
  {
    says: 'nothing is cut before the deadline',
    decision: decide({ blue: leaving(2) }, { elapsed: 29, cutsAtDeadline: true, canBeCut: 2 }),
    want: {
      wait: 1,
      because: '2 requests are in flight to slice blue; it has 30 s from when its traffic was taken',
    },
  },
  {
    says: 'what a person accepted is cut',
    decision: decide({ blue: leaving(2) }, { elapsed: 30, canBeCut: 2 }),
    want: { done: true, cut: 2 },
  },
  {
    says: 'more than a person accepted is not cut',
    decision: decide({ blue: leaving(3) }, { elapsed: 30, canBeCut: 2 }),
    want: {
      overdue: 3,
      message:
        '3 requests are in flight to slice blue after 30 s: it stays until they end, unless you accept that 3 are cut',
      wait: 1,
    },
  },
  {
    says: 'one that may still get requests is not stopped, whatever may be cut',
    decision: decide(
      { blue: { ...leaving(0), out: 'no' } },
      { elapsed: 30, cutsAtDeadline: true, canBeCut: 9 },
    ),
    want: {
      overdue: 0,
      message:
        'slice blue may still get requests after 30 s: it stays until it gets no more; look for another Service or a preview that leads to its Pods',
      wait: 1,
    },
  },
];

describe('taking traffic from a slice', () => {
  test.each(rows)('$says', ({ decision, want }) => {
    expect(decision).toEqual(want);
  });
});
