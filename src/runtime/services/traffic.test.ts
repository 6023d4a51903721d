import { describe, expect, test } from 'vitest';
import type { ForwarderReport } from '../forwarder/forwarder-report.ts';
import type { EndpointStanding, ForwardingTable } from '../forwarder/forwarding-table.ts';
import { Traffic } from './traffic.ts';

function table(generation: number, states: Record<string, EndpointStanding>, slice = ''): ForwardingTable {
  const endpoints = Object.entries(states).map(([id, state]) => ({
    id,
    address: '127.0.0.1',
    port: 1,
    slice,
    state,
  }));
  const listener = {
    id: 'default/web:80',
    address: '127.0.0.1',
    port: 80,
    protocol: 'auto' as const,
    endpoints,
  };
  return { version: 1, generation, program: { command: ['x'], digest: '' }, listeners: [listener] };
}

function report(generation: number, inFlight: Record<string, number> = {}): ForwarderReport {
  const counts = { slice: 'blue', state: 'serving' as const, requests: 3, errors: 1, refused: 0 };
  const endpoints = Object.entries(inFlight).map(([id, inFlight]) => ({ id, inFlight, ...counts }));
  const slices = { blue: { requests: 3, errors: 1, refused: 0 } };
  const listeners = [{ id: 'default/web:80', unserved: 0, endpoints, slices }];
  return { version: 1, identity: '', program: '', generation, retired: false, problems: [], listeners };
}

describe('a Pod', () => {
  test('of no Service is out', () => {
    expect(new Traffic().isOut('pod')).toBe(true);
  });

  test('is out when every forwarder goes by a table without it and nothing is in flight', () => {
    const traffic = new Traffic();
    const told: string[] = [];
    traffic.onChange(uid => told.push(uid));
    traffic.onTable(table(1, { pod: 'serving' }));
    traffic.onReports([report(1, { pod: 1 })]);
    expect(traffic.isOut('pod')).toBe(false);
    traffic.onTable(table(2, { pod: 'leaving' }));
    expect(traffic.isOut('pod')).toBe(false); // not taken in
    traffic.onReports([report(2, { pod: 1 })]);
    expect(traffic.isOut('pod')).toBe(false); // in flight
    traffic.onReports([report(2, { pod: 0 }), report(1)]);
    expect(traffic.isOut('pod')).toBe(false); // one that was relieved is behind
    expect(told).toEqual([]);
    traffic.onReports([report(2, { pod: 0 }), report(2)]);
    expect(traffic.isOut('pod')).toBe(true);
    expect(told).toEqual(['pod']);
  });

  test('is not out while a forwarder runs that has said nothing', () => {
    const traffic = new Traffic();
    traffic.onTable(table(1, { pod: 'draining' }));
    traffic.onReports(undefined);
    expect(traffic.isOut('pod')).toBe(false);
    traffic.onReports([]);
    expect(traffic.isOut('pod')).toBe(true);
  });

  test('that an earlier manager’s table served to is not out before the next table is taken in', () => {
    const traffic = new Traffic();
    traffic.onTable(table(7, { pod: 'serving' }));
    traffic.onReports([report(7)]);
    traffic.onTable(table(8, {}));
    expect(traffic.isOut('pod')).toBe(false);
    traffic.onReports([report(8)]);
    expect(traffic.isOut('pod')).toBe(true);
  });
});

describe('a slice', () => {
  const blue = (traffic: Traffic) => traffic.sliceCounts('default', 'web').get('blue');

  test('has the counts of all forwarders', () => {
    const traffic = new Traffic();
    traffic.onReports([
      { ...report(1, { pod: 2 }), identity: 'a' },
      { ...report(1, { pod: 1 }), identity: 'b' },
    ]);
    expect(blue(traffic)).toMatchObject({ requests: 6, errors: 2, refused: 0, inFlight: 3, isOut: false });
    expect(traffic.sliceCounts('default', 'we')).toEqual(new Map());
  });

  test('is served when a forwarder that listens says that it sends it requests', () => {
    const traffic = new Traffic();
    traffic.onTable(table(1, { pod: 'serving' }, 'blue'));
    expect(blue(traffic)?.isServed).toBe(false);
    const told = report(1, { pod: 0 });
    const listeners = told.listeners.map(one => ({ ...one, problem: 'the port is taken' }));
    traffic.onReports([{ ...told, listeners }]);
    expect(blue(traffic)?.isServed).toBe(false);
    traffic.onReports([told]);
    expect(blue(traffic)?.isServed).toBe(true);
  });

  test('is out when every forwarder goes by a table that sends it nothing and nothing is in flight', () => {
    const traffic = new Traffic();
    traffic.onTable(table(1, { pod: 'serving', other: 'serving' }, 'blue'));
    const nothing = { requests: 0, errors: 0, refused: 0, inFlight: 0 };
    expect(blue(traffic)).toEqual({ ...nothing, isOut: false, isServed: false });
    traffic.onReports([report(1, { pod: 1, other: 1 })]);
    traffic.onTable(table(2, { pod: 'leaving', other: 'draining' }, 'blue'));
    traffic.onReports([report(2, { pod: 0, other: 0 })]);
    expect(blue(traffic)?.isOut).toBe(false); // one that leaves may get something
    traffic.onTable(table(3, { pod: 'draining', other: 'draining' }, 'blue'));
    expect(blue(traffic)?.isOut).toBe(false); // not taken in
    traffic.onReports([report(3, { pod: 0, other: 1 })]);
    expect(blue(traffic)).toMatchObject({ inFlight: 1, isOut: false });
    traffic.onReports(undefined);
    expect(blue(traffic)?.isOut).toBe(false); // nobody knows
    traffic.onReports([report(3, { pod: 0, other: 0 })]);
    expect(blue(traffic)).toMatchObject({ requests: 3, inFlight: 0, isOut: true });
    traffic.onTable(table(4, { pod: 'serving' }, 'blue'));
    expect(blue(traffic)?.isOut).toBe(false);
  });
});
