import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitUntil } from '../../../scripts/kubernetes/process/wait-until.ts';
import { readReports, reportFile } from './forwarder-files.ts';
import { ownIdentity } from './forwarder-identity.ts';
import { ForwarderWorld } from './forwarder-world.contract.ts';

let world: ForwarderWorld;
beforeEach(() => {
  world = new ForwarderWorld();
});
afterEach(() => world.close());

function put(name: string, text: string): void {
  writeFileSync(join(world.files.reports, name), text);
}

const report = {
  version: 1,
  identity: ownIdentity(),
  program: '',
  generation: 1,
  retired: false,
  problems: [],
};
const counts = { requests: 0, errors: 0, refused: 0 };

test.each([
  ['nothing', ''],
  ['half a report', JSON.stringify({ ...report, listeners: [] }).slice(0, 40)],
  ['no object', 'null'],
  ['no identity', '{"version":1}'],
  ['no listeners', JSON.stringify(report)],
  ['a listener without endpoints', JSON.stringify({ ...report, listeners: [{ id: 'a/b:1', slices: {} }] })],
  [
    'an endpoint without counts',
    JSON.stringify({ ...report, listeners: [{ id: 'a/b:1', slices: {}, endpoints: [{ id: 'x' }] }] }),
  ],
])('a report with %s in it is as good as none, and is taken away', (_, text) => {
  put('1.json', text);
  expect(readReports(world.files)).toEqual([]);
  expect(readdirSync(world.files.reports)).toEqual([]);
});

test('reports of processes that do not run are taken away, and what they had begun to write', () => {
  const identity = ownIdentity().replace(/^\d+/, '4999999');
  put('4999999.json', JSON.stringify({ ...report, identity, listeners: [] }));
  put('4999999.json.4999999.tmp', '{');
  put(`${process.pid}.json.${process.pid}.tmp`, '{');
  expect(readReports(world.files)).toEqual([]);
  expect(readdirSync(world.files.reports)).toEqual([`${process.pid}.json.${process.pid}.tmp`]);
});

test('what is nobody’s report, or cannot be taken away, is let be', () => {
  put('notes.json', '');
  mkdirSync(join(world.files.reports, '1.json'));
  const slices = { '': counts };
  const whole = { ...report, listeners: [{ id: 'a/b:1', unserved: 0, endpoints: [], slices }] };
  put(`${process.pid}.json`, JSON.stringify(whole));
  put('2.json', JSON.stringify({ version: 2, identity: ownIdentity() })); // of a program to come
  expect(readReports(world.files)).toEqual([whole]);
  expect(readdirSync(world.files.reports).sort()).toEqual(
    ['1.json', '2.json', `${process.pid}.json`, 'notes.json'].sort(),
  );
});

test('a forwarder whose report was broken and taken away writes it again', async () => {
  world.write([]);
  await world.startHere();
  const path = reportFile(world.files, ownIdentity());
  writeFileSync(path, '');
  expect(readReports(world.files)).toEqual([]);
  expect(existsSync(path)).toBe(false);
  await waitUntil('the report', 10, async () => readReports(world.files).length === 1);
});
