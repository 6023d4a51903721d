import { describe, expect, it } from 'vitest';
import type { FlowObject, RevisionObject } from '../our-objects.ts';
import { isStuck, serviceState } from './service-state.ts';

/** Flows of parts, the oldest first: how each ended, and what was said of it since. */
type Ended = readonly [parts: string, end: string, more?: object];

function flowsOf(all: readonly Ended[]): FlowObject[] {
  return all.map(([parts, end, spec], index) => ({
    metadata: { name: `f${index + 1}`, creationTimestamp: `2026-01-01T00:00:0${index}Z` },
    spec: { planned: { holds: false, step: { id: 'nova/upgrade', parts: parts.split(' ') } }, ...spec },
    status: { startedAt: '1', end },
  })) as unknown as FlowObject[];
}

describe('of each part the last flow that ended decides on the hold', () => {
  it.each<[string, readonly Ended[], string | undefined]>([
    ['one that succeeded holds nothing', [['api', 'operational']], undefined],
    ['one that went back holds its target', [['api', 'rolledback']], 'f1'],
    [
      'one that succeeded later ends the hold',
      [
        ['api', 'rolledback'],
        ['api', 'operational'],
      ],
      undefined,
    ],
    [
      'one of another part does not',
      [
        ['api', 'rolledback'],
        ['compute', 'operational'],
      ],
      'f1',
    ],
    [
      'one of some of its parts does not',
      [
        ['api compute', 'rolledback'],
        ['api', 'operational'],
      ],
      'f1',
    ],
    ['a person lets it go', [['api', 'rolledback', { released: true }]], undefined],
    [
      'what was let go does not bring an older one back',
      [
        ['api', 'held'],
        ['api', 'rolledback', { released: true }],
      ],
      undefined,
    ],
    ['a check that refused holds as well', [['api', 'refused']], 'f1'],
  ])('%s', (_, all, want) => {
    expect(serviceState('nova', { revisions: [], flows: flowsOf(all) }).hold?.metadata.name).toBe(want);
  });

  it.each([
    ['irreconcilable', true],
    ['held', true],
    ['withdrawn', true],
    ['rolledback', false],
    ['unsettled', false],
  ])('a person must look after %s: %s', (end, want) => {
    expect(isStuck(serviceState('nova', { revisions: [], flows: flowsOf([['api', end]]) }))).toBe(want);
  });
});

describe('the schemas of a service', () => {
  const schema = (expandedTo?: string) => ({ database: 'nova', ...(expandedTo ? { expandedTo } : {}) });
  const revisions = [{ spec: { number: 1, schemas: [schema('a')] } }] as unknown as RevisionObject[];
  const withSchemas = (schemas?: object[]) =>
    flowsOf([['api', 'operational']]).map(flow => ({
      ...flow,
      status: { ...flow.status, ...(schemas ? { schemas } : {}) },
    }));
  it.each([
    ['are those of its revision where no flow told of any', undefined, [schema('a')]],
    ['are as the last flow left them', [schema('b')], [schema('b')]],
    ['are none of a database that is gone', [schema()], []],
  ])('%s', (_, told, want) => {
    const flows = withSchemas(told) as FlowObject[];
    expect(serviceState('nova', { revisions, flows }).schemas).toEqual(want);
  });
});
