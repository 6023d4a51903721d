import { expect, test } from 'vitest';
import { aContainer } from './a-pod.contract.ts';
import { qosClass } from './qos-class.ts';
import { quantity } from './quantity.ts';

test.each([
  ['500m', 0.5],
  ['1.5Gi', 1.5 * 2 ** 30],
  ['2e3', 2000],
  [4, 4],
  ['1G', 1e9],
  ['much', undefined],
])('the quantity %s is %s', (text, want) => {
  expect(quantity(text)).toBe(want);
});

const both = { cpu: '1', memory: '1Gi' };

test.each<[string, object, string]>([
  ['nothing asked for', {}, 'BestEffort'],
  ['some', { requests: { cpu: '1' } }, 'Burstable'],
  ['limits alone are requests too', { limits: both }, 'Guaranteed'],
  ['the same in other words', { limits: both, requests: { cpu: '1000m', memory: '1024Mi' } }, 'Guaranteed'],
  ['less than the limit', { limits: both, requests: { ...both, cpu: '500m' } }, 'Burstable'],
])('%s: %s', (_, resources, want) => {
  expect(qosClass({ containers: [aContainer('main', { resources })] })).toBe(want);
});
