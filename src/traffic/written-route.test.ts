import { describe, expect, it } from 'vitest';
import { aWrittenRoute } from '../testing/a-written-route.ts';
import { checkNames, headerOf, isSliceName, placeOf, readHeader, serverWeights } from './written-route.ts';

describe('the first line of a file', () => {
  it('gives back the route, whatever stands below it', () => {
    const route = aWrittenRoute({ previews: { green: { address: '192.0.2.2', madeAt: 5000 } } });
    expect(readHeader(`${headerOf(route)}backend x\n`, 'a.cfg')).toEqual(route);
  });

  it('is one line, whatever a selector says', () => {
    const route = aWrittenRoute({ selector: { app: 'a\nbackend evil' } });
    expect(headerOf(route).trimEnd().split('\n')).toHaveLength(1);
  });

  it('of somebody else makes the file theirs', () => {
    expect(readHeader('# mine\nbackend x\n', 'a.cfg')).toBeUndefined();
  });

  it.each(['# afloat-route {', '# afloat-route 7', '# afloat-route {"ports":[]}'])(
    'that was changed is refused: %s',
    text => {
      expect(() => readHeader(text, 'a.cfg')).toThrow(expect.objectContaining({ reason: 'Invalid' }));
    },
  );
});

describe('names that get into a configuration', () => {
  it.each([['../north'], ['north\n'], [''], ['a b'], ['a;b'], ['A']])('cannot be %j', name => {
    expect(() => checkNames({ namespace: 'north', service: name })).toThrow(
      expect.objectContaining({ reason: 'Invalid' }),
    );
  });

  it('may be any label of a slice', () => {
    expect(['blue', '1', 'v1.2_3', '', 'a b', 'x\ny', 'x;'].map(isSliceName)).toEqual([
      ...[true, true, true, true],
      ...[false, false, false],
    ]);
  });

  it('of an address in six parts stand in brackets', () => {
    expect([placeOf('10.0.0.1', 80), placeOf('fd00::1', 80), placeOf('*', 80)]).toEqual([
      ...['10.0.0.1:80', '[fd00::1]:80', '*:80'],
    ]);
  });
});

describe('weights of servers', () => {
  const ofSlices = (counts: Record<string, number>, weights: Record<string, number>) => {
    const servers = Object.entries(counts).flatMap(([slice, count]) =>
      Array.from({ length: count }, (_, index) => ({
        ...{ slice, name: `${slice}-${index + 1}`, port: 8000, address: '10.0.0.1', targetPort: 8080 },
      })),
    );
    return Object.fromEntries(serverWeights(aWrittenRoute({ servers, weights }), 8000));
  };

  it.each([
    ['are as small as can be', { blue: 1, green: 1 }, { blue: 90, green: 10 }, { 'blue-1': 9, 'green-1': 1 }],
    ['of a slice alone are one', { blue: 1, green: 1 }, { blue: 100 }, { 'blue-1': 1, 'green-1': 0 }],
    [
      'share what their slice has',
      { blue: 3, green: 1 },
      { blue: 50, green: 50 },
      { 'blue-1': 1, 'blue-2': 1, 'blue-3': 1, 'green-1': 3 },
    ],
    ['of nobody are nothing', { blue: 1 }, {}, { 'blue-1': 0 }],
    [
      'are never nothing for who has a share',
      { blue: 1, green: 1 },
      { blue: 999, green: 1 },
      { 'blue-1': 256, 'green-1': 1 },
    ],
  ])('%s', (_, counts, weights, wanted) => {
    expect(ofSlices(counts, weights)).toEqual(wanted);
  });
});
