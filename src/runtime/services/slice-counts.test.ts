import { expect, test } from 'vitest';
import type { ForwarderReport } from '../forwarder/forwarder-report.ts';
import { SliceCounts } from './slice-counts.ts';

const listener = 'default/web:80';

/** A report of the forwarder of that name, with so many requests at each listener. */
function report(identity: string, ...requests: readonly number[]): ForwarderReport {
  const listeners = requests.map(count => ({
    id: listener,
    unserved: 0,
    endpoints: [],
    slices: { blue: { requests: count, errors: 1, refused: 0 } },
  }));
  return { version: 1, identity, program: '', generation: 1, retired: false, problems: [], listeners };
}

function counted(counts: SliceCounts): number | undefined {
  return counts.of(id => id === listener).get('blue')?.requests;
}

test('counts go on when a forwarder is relieved, ends, or is killed and another one begins', () => {
  const counts = new SliceCounts(() => false);
  counts.onReports([report('a', 5)]);
  counts.onReports([report('a', 6), report('b', 1)]); // relieved, and not done yet
  expect(counted(counts)).toBe(7);
  counts.onReports([report('b', 2)]);
  expect(counted(counts)).toBe(8);
  counts.onReports([]); // killed
  expect(counted(counts)).toBe(8);
  counts.onReports([report('c', 0)]);
  counts.onReports([report('c', 3)]);
  expect(counted(counts)).toBe(11);
  expect(counts.of(() => true).get('blue')?.errors).toBe(3);
});

test('a forwarder whose report is missed once is not counted twice', () => {
  const counts = new SliceCounts(() => true);
  counts.onReports([report('a', 5)]);
  counts.onReports([]);
  counts.onReports([report('a', 6)]);
  expect(counted(counts)).toBe(6);
});

test('a listener that changes its place is counted once', () => {
  const counts = new SliceCounts(() => true);
  counts.onReports([report('a', 10)]);
  counts.onReports([report('a', 10, 3)]);
  expect(counted(counts)).toBe(13);
  counts.onReports([report('a', 3)]); // its last client at the old place is gone
  expect(counted(counts)).toBe(13);
  counts.onReports([report('a', 4)]);
  expect(counted(counts)).toBe(14);
});

test('what no table and no forwarder speaks of is forgotten', () => {
  const counts = new SliceCounts(() => false);
  counts.onReports([report('a', 5)]);
  counts.keep(new Set());
  expect(counted(counts)).toBe(5); // still reported
  counts.onReports([]);
  counts.keep(new Set([listener]));
  expect(counted(counts)).toBe(5);
  counts.keep(new Set());
  expect(counted(counts)).toBeUndefined();
});
