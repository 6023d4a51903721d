import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AddressPool } from './address-pool.ts';
import {
  addressNumber,
  addressText,
  overlap,
  podRange,
  rangeOf,
  serviceRange,
  wholeRange,
} from './address-range.ts';

test.each([
  ['namespaces', 0, '100.64.0.0/18', '100.64.0.0/19', '100.64.32.0/19'],
  ['namespaces', 255, '100.127.192.0/18', '100.127.192.0/19', '100.127.224.0/19'],
  ['loopback', 0, '127.16.0.0/16', '127.16.0.0/17', '127.16.128.0/17'],
  ['loopback', 234, '127.250.0.0/16', '127.250.0.0/17', '127.250.128.0/17'],
] as const)('slot %s %i is %s', (kind, slot, whole, pods, services) => {
  const range = { kind, slot };
  expect([wholeRange(range).cidr, podRange(range).cidr, serviceRange(range).cidr]).toEqual([
    whole,
    pods,
    services,
  ]);
});

test('addresses are numbers and back', () => {
  for (const text of ['0.0.0.0', '127.16.0.1', '255.255.255.255'])
    expect(addressText(addressNumber(text))).toBe(text);
});

test('parts overlap when they share an address', () => {
  const part = (first: number, count: number) => ({ first, count });
  expect(overlap(part(0, 4), part(3, 1))).toBe(true);
  expect(overlap(part(0, 4), part(4, 1))).toBe(false);
  expect(overlap(part(2, 1), part(0, 8))).toBe(true);
});

test('a state folder keeps its range, and takes one that is free', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'afloat-range-'));
  const seen: number[] = [];
  const isFree = ({ slot }: { slot: number }) => seen.push(slot) > 3;
  const range = await rangeOf(folder, 'loopback', isFree);
  expect(range.slot).toBe(seen.at(-1));
  expect(await rangeOf(folder, 'loopback', () => false)).toEqual(range);
  rmSync(folder, { recursive: true });
});

test('without a free range there is none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'afloat-range-'));
  await expect(rangeOf(folder, 'namespaces', () => false)).rejects.toMatchObject({
    code: 'AddressesExhausted',
  });
  rmSync(folder, { recursive: true });
});

test('addresses are given out in order, an address that was left not at once', () => {
  const pool = new AddressPool({ first: addressNumber('10.0.0.0'), count: 8, cidr: '10.0.0.0/29' });
  expect(pool.take(new Set(['10.0.0.2', '10.9.9.9']))).toBe('10.0.0.3');
  expect(pool.take(new Set())).toBe('10.0.0.4');
  expect(pool.take(new Set())).toBe('10.0.0.5');
  expect(pool.take(new Set())).toBe('10.0.0.6');
  expect(pool.take(new Set())).toBe('10.0.0.2');
  const all = new Set(['10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5', '10.0.0.6']);
  expect(() => pool.take(all)).toThrow(expect.objectContaining({ code: 'AddressesExhausted' }));
});

test('the next manager goes on where the last one was, and does without what was not written to its end', () => {
  const folder = mkdtempSync(join(tmpdir(), 'afloat-pool-'));
  const file = join(folder, 'next');
  const range = { first: addressNumber('10.0.0.0'), count: 64, cidr: '10.0.0.0/26' };
  const take = () => new AddressPool(range, file).take(new Set(['10.0.0.2']));
  expect([take(), take(), take()]).toEqual(['10.0.0.3', '10.0.0.4', '10.0.0.5']);
  for (const text of ['10.0.0.5', '', 'x\n', '10.9.9.9\n']) {
    writeFileSync(file, text);
    expect(take()).toBe('10.0.0.3');
  }
  writeFileSync(file, '10.0.0.63\n');
  expect(take()).toBe('10.0.0.3');
  rmSync(folder, { recursive: true });
  expect(take()).toBe('10.0.0.3');
});
