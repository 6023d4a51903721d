import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../forwarding-table.ts';
import { Balance } from './balance.ts';
import { EndpointState } from './endpoint-state.ts';

function state(id: string, slice = ''): EndpointState {
  const endpoint: Endpoint = { id, address: '127.0.0.1', port: 1, slice, state: 'serving' };
  return new EndpointState(endpoint, { requests: 0, errors: 0, refused: 0 }, () => {});
}

function picks(balance: Balance, count: number): (string | undefined)[] {
  return Array.from({ length: count }, () => balance.pick()?.id);
}

describe('turns', () => {
  test('go around', () => {
    const balance = new Balance();
    balance.set([{ state: state('a') }, { state: state('b') }, { state: state('c') }]);
    expect(picks(balance, 7)).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a']);
  });

  test('without weights count endpoints, not slices', () => {
    const balance = new Balance();
    balance.set([
      { state: state('a', 'blue') },
      { state: state('b', 'blue') },
      { state: state('c', 'green') },
    ]);
    expect(picks(balance, 30).sort().join('')).toBe('a'.repeat(10) + 'b'.repeat(10) + 'c'.repeat(10));
  });

  test('a slice of weight 0 has none, even where nobody else is', () => {
    const balance = new Balance();
    balance.set([{ state: state('a', 'blue'), weight: 0 }]);
    expect(balance.pick()).toBeUndefined();
  });

  test('go to whoever was not tried', () => {
    const balance = new Balance();
    const [a, b] = [state('a', 'blue'), state('b', 'green')];
    balance.set([
      { state: a, weight: 100 },
      { state: b, weight: 1 },
    ]);
    expect(balance.pick(new Set([a]))).toBe(b);
    expect(balance.pick(new Set([a, b]))).toBeUndefined();
  });

  test('keep to the weights: in every run of that length, each slice has exactly its share', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 }),
        fc.nat(50),
        (weights, skip) => {
          const balance = new Balance();
          balance.set(
            weights.map((weight, index) => ({ state: state(`${index}`, `slice-${index}`), weight })),
          );
          const total = weights.reduce((sum, weight) => sum + weight, 0);
          picks(balance, skip);
          const run = picks(balance, total);
          expect(weights.map((_, index) => run.filter(id => id === `${index}`).length)).toEqual(weights);
        },
      ),
    );
  });
});
