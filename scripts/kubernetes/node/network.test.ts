import { expect, test } from 'vitest';
import { addressesOf } from './network.ts';

test('the ranges of all nodes differ and lie in the block that is set aside for tests', () => {
  const ranges = Array.from({ length: 64 }, (_, number) => {
    const { node, podRange, serviceRange } = addressesOf(number);
    return [node, podRange, serviceRange].map(text => text.split('.').slice(0, 3).join('.'));
  }).flat();
  expect(new Set(ranges).size).toBe(3 * 64);
  for (const range of ranges) expect(range).toMatch(/^198\.18\.\d{1,3}$/);
});

test('the first Service address is the first of its range', () => {
  expect(addressesOf(0)).toEqual({
    machine: '198.18.0.1',
    node: '198.18.0.2',
    podRange: '198.18.64.0/24',
    serviceRange: '198.18.128.0/24',
    firstServiceAddress: '198.18.128.1',
  });
});
