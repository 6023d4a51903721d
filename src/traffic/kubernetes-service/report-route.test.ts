import { expect, test } from 'vitest';
import { sliceLabel } from '../../api/labels.ts';
import type { RouteEndpoints, RoutePod } from '../route-objects.ts';
import type { SliceMeter, SliceReport } from '../traffic.ts';
import { type RouteFacts, reportRoute } from './report-route.ts';

const stored = { resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z', namespace: 'default' };

function aPod(slice: string, ready = true): RoutePod {
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...stored, name: slice, uid: slice, labels: { app: 'web', [sliceLabel]: slice } },
    status: { phase: 'Running', podIP: '127.0.0.1', conditions },
  };
}

function endpoints(...uids: string[]): RouteEndpoints {
  const all = uids.map(uid => ({ addresses: ['127.0.0.1'], targetRef: { kind: 'Pod', name: uid, uid } }));
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { ...stored, name: 'web-x', uid: 'x' },
    endpoints: all,
  };
}

function facts(slice: string | undefined, more: Partial<RouteFacts>): RouteFacts {
  return {
    service: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...stored, name: 'web', uid: 's' },
      spec: { selector: { app: 'web', ...(slice === undefined ? {} : { [sliceLabel]: slice }) } },
    },
    endpoints: [],
    pods: [aPod('blue'), aPod('green')],
    meter: undefined,
    ...more,
  };
}

/** `previewed`: so many requests are in flight by the previews; without it there are none. */
function aMeter(
  outSlices: readonly string[],
  outPods: readonly string[],
  inFlight = 0,
  previewed?: number,
): SliceMeter {
  const count = (slice: string) =>
    [slice, { requests: 9, errors: 1, inFlight, isOut: outSlices.includes(slice) }] as const;
  return {
    counts(_, service) {
      if (service === 'web') return new Map([count('blue'), count('green')]);
      const preview = { requests: 1, errors: 0, inFlight: previewed ?? 0, isOut: false };
      return new Map(previewed === undefined ? [] : [['blue', preview]]);
    },
    podIsOut: uid => outPods.includes(uid),
  };
}

const rows: { says: string; facts: RouteFacts; blue: Partial<SliceReport> }[] = [
  {
    says: 'one that has a share is not out, and is ready as far as the router knows its addresses',
    facts: facts('blue', { endpoints: [] }),
    blue: { weight: 100, out: 'no', ready: 0 },
  },
  {
    says: 'one that is not selected is ready as far as its Pods are',
    facts: facts('green', { endpoints: [endpoints('green')] }),
    blue: { weight: 0, out: 'unknown', ready: 1 },
  },
  {
    says: 'one whose endpoints are still there may get requests',
    facts: facts('green', { endpoints: [endpoints('blue')] }),
    blue: { out: 'no' },
  },
  {
    says: 'one whose endpoints are still there may get requests, whatever the meter knew before',
    facts: facts('green', { endpoints: [endpoints('blue')], meter: aMeter(['blue'], ['blue']) }),
    blue: { out: 'no' },
  },
  {
    says: 'an endpoint whose Pod is not found may be of any slice',
    facts: facts('green', { endpoints: [endpoints('gone')] }),
    blue: { out: 'no' },
  },
  {
    says: 'one is out when slice and Pods are',
    facts: facts('green', { endpoints: [endpoints('green')], meter: aMeter(['blue'], ['blue']) }),
    blue: { out: 'yes', counts: { requests: 9, errors: 1, inFlight: 0 } },
  },
  {
    says: 'one is not out while a Pod of it is reached by another way',
    facts: facts('green', { endpoints: [endpoints('green')], meter: aMeter(['blue'], []) }),
    blue: { out: 'no' },
  },
  {
    says: 'one that has a preview is out when nothing is in flight there either',
    facts: facts('green', { endpoints: [endpoints('green')], meter: aMeter(['blue'], [], 0, 0) }),
    blue: { out: 'yes' },
  },
  {
    says: 'one that is asked by its preview is not out',
    facts: facts('green', { endpoints: [endpoints('green')], meter: aMeter(['blue'], [], 0, 1) }),
    blue: { out: 'no' },
  },
  {
    says: 'one is not out while something is in flight, also when its Pods are gone',
    facts: facts('green', { pods: [aPod('green')], meter: aMeter([], ['blue'], 2) }),
    blue: { out: 'no', ready: 0, counts: { requests: 9, errors: 1, inFlight: 2 } },
  },
];

test.each(rows)('$says', ({ facts: given, blue }) => {
  expect(reportRoute(given).slices['blue']).toMatchObject(blue);
});

test('a slice of long ago that is out and has no Pods is not spoken of', () => {
  const given = facts('green', { pods: [aPod('green')], meter: aMeter(['blue'], []) });
  expect(Object.keys(reportRoute(given).slices)).toEqual(['green']);
});

test('shares are kept only where somebody counts', () => {
  expect(reportRoute(facts('blue', {})).canWeigh).toBe(false);
  expect(reportRoute(facts('blue', { meter: aMeter([], []) })).canWeigh).toBe(true);
});
