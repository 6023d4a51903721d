import { describe, expect, test } from 'vitest';
import { besideLabel, sliceLabel } from '../../api/labels.ts';
import { packageSelector, type RouteService } from '../route-objects.ts';
import type { Weights } from '../traffic.ts';
import {
  isCovered,
  keptSlices,
  readWeights,
  weightsAnnotation,
  weightsPatch,
  wouldServe,
} from './service-weights.ts';

function aService(slice: string | undefined, weights?: string): RouteService {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'web',
      namespace: 'default',
      uid: 'u',
      resourceVersion: '7',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(weights === undefined ? {} : { annotations: { [weightsAnnotation]: weights, note: 'kept' } }),
    },
    spec: { selector: { app: 'web', ...(slice === undefined ? {} : { [sliceLabel]: slice }) } },
  };
}

const bothHere = {
  ...{ present: ['blue', 'green'], known: ['blue', 'green'], canWeigh: true },
  isBeside: () => false,
};

describe('the shares of a Service', () => {
  const rows: { says: string; service: RouteService; present?: string[]; want: Weights }[] = [
    { says: 'are none where it selects nobody', service: aService('none', 'blue=100'), want: {} },
    { says: 'are all of one where it selects one', service: aService('blue'), want: { blue: 100 } },
    {
      says: 'are not those of slices that it no longer selects',
      service: aService('green', 'blue=90,green=10'),
      want: { green: 10 },
    },
    {
      says: 'are those of the annotation where it selects all',
      service: aService(undefined, 'blue=90, green=10,grey=0'),
      want: { blue: 90, green: 10 },
    },
    {
      says: 'are alike for everybody where nothing is said',
      service: aService(undefined),
      present: ['', 'blue'],
      want: { '': 100, blue: 100 },
    },
    {
      says: 'are alike for everybody where the annotation cannot be read',
      service: aService(undefined, 'blue:90'),
      present: ['blue'],
      want: { blue: 100 },
    },
  ];
  test.each(rows)('$says', ({ service, present = [], want }) => {
    expect(readWeights(service, present)).toEqual(want);
  });
});

describe('giving shares', () => {
  const change = (slice: string | null, weights: string | null) => ({
    metadata: { resourceVersion: '7', annotations: { [weightsAnnotation]: weights } },
    spec: { selector: { [sliceLabel]: slice } },
  });
  const rows: { says: string; service: RouteService; weights: Weights; want: object | undefined }[] = [
    {
      says: 'to one from nobody selects it',
      service: aService('none'),
      weights: { blue: 100 },
      want: change('blue', 'blue=100'),
    },
    {
      says: 'to another lets the one that leaves answer until its endpoints are replaced',
      service: aService('blue', 'blue=100'),
      weights: { green: 100 },
      want: change('green', 'blue=100,green=100'),
    },
    {
      says: 'again writes nothing',
      service: aService('green', 'blue=100,green=100'),
      weights: { green: 100 },
      want: undefined,
    },
    {
      says: 'to several selects all, and names each share',
      service: aService('blue', 'blue=100'),
      weights: { green: 10, blue: 90 },
      want: change(null, 'blue=90,green=10'),
    },
    {
      says: 'back to the old one leaves the new one the share it had, and no more',
      service: aService(undefined, 'blue=90,green=10'),
      weights: { blue: 100, green: 0 },
      want: change('blue', 'blue=100,green=10'),
    },
    {
      says: 'to nobody selects nobody and has no annotation',
      service: aService(undefined, 'blue=90,green=10'),
      weights: { blue: 0 },
      want: change('none', null),
    },
    {
      says: 'of any size are brought down to what the router takes, and none to nothing',
      service: aService('blue'),
      weights: { blue: 999_999, green: 1 },
      want: change(null, 'blue=100,green=1'),
    },
    {
      says: 'to one that has a name, where the Pods that serve have none, leaves the annotation out',
      service: aService(undefined),
      weights: { blue: 100 },
      want: change('blue', null),
    },
  ];
  test.each(rows)('$says', ({ service, weights, want }) => {
    const unnamed = service.spec.selector?.[sliceLabel] === undefined && !service.metadata.annotations;
    const slices = unnamed ? ['', 'blue'] : bothHere.present;
    expect(weightsPatch(service, weights, { ...bothHere, present: slices, known: slices })).toEqual(want);
  });

  test('forgets those that left once they have no Pod any more', () => {
    const context = { ...bothHere, present: ['green'], known: ['green'] };
    const patch = weightsPatch(aService('blue', 'blue=100,grey=5'), { green: 100 }, context);
    expect(patch).toEqual(change('green', 'green=100'));
  });

  describe('where nobody weighs', () => {
    const three = {
      ...{ present: ['1', '2', '3'], known: ['1', '2', '3'], canWeigh: false },
      isBeside: () => true,
    };
    const all = aService(undefined, '1=33,2=33,3=34');
    const withoutFirst: RouteService = {
      ...all,
      spec: { selector: { app: 'web', [besideLabel('1')]: 'true' } },
    };

    test('leaves out one of three by the label of the others, and takes it in again', () => {
      const out = weightsPatch(all, { '2': 50, '3': 50 }, three);
      expect(out?.['spec']).toEqual({ selector: { [sliceLabel]: null, [besideLabel('1')]: 'true' } });
      expect([isCovered(withoutFirst, '1'), isCovered(withoutFirst, '2')]).toEqual([false, true]);
      expect(packageSelector(withoutFirst)).toEqual({ app: 'web' });
      const back = weightsPatch(withoutFirst, { '1': 33, '2': 33, '3': 34 }, three);
      expect(back?.['spec']).toEqual({ selector: { [sliceLabel]: null, [besideLabel('1')]: null } });
    });

    test('leaves out one that is still to come, where the others stand beside it', () => {
      const out = weightsPatch(all, { '1': 33, '2': 33, '3': 34, '4': 0 }, three);
      expect(out?.['spec']).toEqual({ selector: { [sliceLabel]: null, [besideLabel('4')]: 'true' } });
    });

    test.each([
      ['that has a share', all, '1', false],
      ['that a wide selector takes', all, '4', true],
      ['that is left out', withoutFirst, '1', false],
      ['beside the one that is selected', aService('1'), '4', false],
      ['where nobody is selected', aService('none'), '4', false],
    ])('Pods of a slice %s would be served before they are given a share: %#', (_, service, slice, want) => {
      expect(wouldServe(service, slice, three)).toBe(want);
      // A forwarder heeds the shares that are written down.
      expect(wouldServe(service, slice, { ...three, canWeigh: true })).toBe(false);
    });

    test('keeps who is left out where a Service is written anew', () => {
      expect(keptSlices(withoutFirst).selector).toEqual({ [besideLabel('1')]: 'true' });
    });
  });

  describe('of Pods that were found', () => {
    const found = { ...bothHere, present: ['found'], known: ['found'] };
    test('keep out one that is still to come', () => {
      const patch = weightsPatch(aService(undefined), { found: 100, blue: 0 }, found);
      expect(patch).toEqual(change('found', 'found=100'));
    });

    test('are as before anybody knew of slices when they are alone again', () => {
      for (const present of [['found'], ['found', '']])
        expect(weightsPatch(aService('found', 'found=100'), { found: 100 }, { ...found, present })).toEqual(
          change(null, null),
        );
      expect(weightsPatch(aService(undefined), { found: 100 }, found)).toBeUndefined();
    });
  });

  const refused: { says: string; weights: Weights; context: typeof bothHere }[] = [
    {
      says: 'a share that is no number',
      weights: { blue: Number.NaN },
      context: bothHere,
    },
    { says: 'the name that means nobody', weights: { none: 1 }, context: bothHere },
    { says: 'a name that no label can have', weights: { 'a b': 1 }, context: bothHere },
    {
      says: 'two of three where nobody weighs: the third would be served too',
      weights: { blue: 1, green: 1 },
      context: { ...bothHere, present: ['blue', 'green', 'grey'], canWeigh: false },
    },
    {
      says: 'two that do not stand beside a third which is still to come, where nobody weighs',
      weights: { blue: 1, green: 1, grey: 0 },
      context: { ...bothHere, canWeigh: false },
    },
    {
      says: 'Pods without a slice alone, beside others',
      weights: { '': 100 },
      context: { ...bothHere, present: ['', 'blue'] },
    },
  ];
  test.each(refused)('refuses $says', ({ weights, context }) => {
    expect(() => weightsPatch(aService('blue'), weights, context)).toThrow(
      expect.objectContaining({ reason: 'Invalid' }),
    );
  });
});

test('a Service that is written anew says the same of slices, and a new one selects nobody', () => {
  expect(keptSlices(undefined)).toEqual({ selector: { [sliceLabel]: 'none' }, annotations: {} });
  expect(keptSlices(aService(undefined))).toEqual({ selector: {}, annotations: {} });
  expect(keptSlices(aService('blue', 'blue=1'))).toEqual({
    selector: { [sliceLabel]: 'blue' },
    annotations: { [weightsAnnotation]: 'blue=1' },
  });
});
