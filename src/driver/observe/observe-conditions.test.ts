import { describe, expect, test } from 'vitest';
import { readyWhenAnnotation } from '../../api/labels.ts';
import type { JsonObject } from '../../base/json.ts';
import { anEvent, aStored } from './a-stored-object.contract.ts';
import { followJsonPath, parseJsonPath } from './json-path.ts';
import { observeClaim } from './observe-claim.ts';
import { observeConditions } from './observe-conditions.ts';
import { parseExpectation, readExpectation } from './ready-when.ts';

const is = (type: string, status = 'True', more: JsonObject = {}) => ({
  type,
  status,
  reason: `${type}Reason`,
  message: `${type} said`,
  ...more,
});

describe('an object of any kind', () => {
  const rows: readonly [sentence: string, status: JsonObject | undefined, want: object][] = [
    ['without a status is done', undefined, { state: 'done', reason: 'Exists' }],
    ['that is Ready is done', { conditions: [is('Ready')] }, { state: 'done', reason: 'ReadyReason' }],
    [
      'that is not Ready goes on',
      { conditions: [is('Ready', 'False')] },
      { state: 'progressing', message: 'Widget one: Ready said' },
    ],
    ['of which Ready is Unknown goes on', { conditions: [is('Ready', 'Unknown')] }, { state: 'progressing' }],
    [
      'that is Reconciling goes on, whatever Ready says',
      { conditions: [is('Ready'), is('Reconciling')] },
      { state: 'progressing', reason: 'ReconcilingReason' },
    ],
    [
      'that is Stalled has failed',
      { conditions: [is('Ready', 'False'), is('Stalled')] },
      { state: 'failed', reason: 'StalledReason' },
    ],
    [
      'whose status is about an earlier content goes on',
      { observedGeneration: 1, conditions: [is('Ready')] },
      { state: 'progressing', reason: 'NotObserved' },
    ],
    [
      'whose Ready is about an earlier content goes on',
      { conditions: [is('Ready', 'True', { observedGeneration: 1 })] },
      { state: 'progressing', reason: 'NotObserved' },
    ],
  ];
  test.each(rows)('%s', (_, status, want) => {
    const object = aStored('Widget', status ? { status } : {}, { generation: 2 });
    expect(observeConditions(object, {})).toMatchObject(want);
  });
});

describe('what a package says of its objects', () => {
  const object = (status: JsonObject) => aStored('Widget', { status });
  const rows: readonly [expression: string, status: JsonObject, want: boolean][] = [
    ['condition=Synced', { conditions: [is('Synced')] }, true],
    ['condition=Synced', { conditions: [is('Synced', 'False')] }, false],
    ['condition=Synced', {}, false],
    ['condition=Degraded=False', { conditions: [is('Degraded', 'False')] }, true],
    ['condition=example.com/Up=true', { conditions: [is('example.com/Up')] }, true],
    ['jsonpath={.status.phase}=Succeeded', { phase: 'Succeeded' }, true],
    ['jsonpath={.status.phase}=Succeeded', { phase: 'Running' }, false],
    ["jsonpath='{.status.phase}'=All good", { phase: 'All good' }, true],
    ['jsonpath={.status.ready}=true', { ready: true }, true],
    ['jsonpath={.status.count}=3', { count: 3 }, true],
    ['jsonpath={.status.address}', { address: '10.0.0.1' }, true],
    ['jsonpath={.status.address}', {}, false],
    ['jsonpath={.status.nodes[0].state}=up', { nodes: [{ state: 'up' }] }, true],
    ['jsonpath={.status.nodes[*].state}=up', { nodes: [{ state: 'down' }, { state: 'up' }] }, true],
    ["jsonpath={.status['a.b/c']}=x", { 'a.b/c': 'x' }, true],
    ['jsonpath={.status.conditions[?(@.type=="Up")].status}=True', { conditions: [is('Up')] }, true],
  ];
  test.each(rows)('%s of %j is %j', (expression, status, want) => {
    expect(parseExpectation(expression)?.isMet(object(status))).toBe(want);
  });
  test.each([
    'condition',
    'condition=',
    'condition=A B',
    'jsonpath=.status.phase=Succeeded',
    'jsonpath={status.phase}=x',
    'jsonpath={}=x',
    'jsonpath={.a[}=x',
    'jsonpath={.a..b}=x',
    'jsonpath={.status.phase}=',
    'ready',
    '',
  ])('"%s" is refused, and object and annotation are named', expression => {
    const widget = aStored('Widget', {}, { annotations: { [readyWhenAnnotation]: expression } });
    const code = expect.objectContaining({
      code: 'PackageInvalid',
      details: expect.objectContaining({ annotation: readyWhenAnnotation, object: 'Widget one' }),
    });
    let thrown: unknown;
    try {
      readExpectation(widget, readyWhenAnnotation);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toEqual(code);
  });
  test('decides instead of Ready; what failed comes first', () => {
    const ready = parseExpectation('condition=Ready');
    const failed = [parseExpectation('jsonpath={.status.phase}=Error')].flatMap(one => one ?? []);
    const both = object({ phase: 'Error', conditions: [is('Ready')] });
    expect(observeConditions(both, { ready, failed })).toMatchObject({ state: 'failed', reason: 'Failed' });
    const waits = observeConditions(object({}), { ready, failed });
    expect(waits).toEqual({
      state: 'progressing',
      reason: 'NotReady',
      message: 'Widget one waits for condition=Ready',
    });
  });
  test('a path never leads into what every object inherits', () => {
    expect(followJsonPath(parseJsonPath('.constructor.name') ?? [], {})).toEqual([]);
  });
});

describe('a PersistentVolumeClaim', () => {
  const claim = (phase: string) => aStored('PersistentVolumeClaim', { status: { phase } });
  test('is done when bound, and has failed when its volume is lost', () => {
    expect(observeClaim(claim('Bound'), [])).toMatchObject({ state: 'done', reason: 'Bound' });
    expect(observeClaim(claim('Lost'), [])).toMatchObject({ state: 'failed', reason: 'Lost' });
    expect(observeClaim(claim('Pending'), [])).toMatchObject({ state: 'progressing' });
  });
  test('is done when only a Pod is missing, and stuck when nobody brings a volume', () => {
    const waits = anEvent('WaitForFirstConsumer', 'waiting for first consumer to be created before binding');
    expect(observeClaim(claim('Pending'), [waits])).toMatchObject({ state: 'done' });
    const failed = anEvent('ProvisioningFailed', 'storageclass "fast" not found');
    expect(observeClaim(claim('Pending'), [failed])).toMatchObject({
      state: 'stuck',
      reason: 'ProvisioningFailed',
    });
  });
});
