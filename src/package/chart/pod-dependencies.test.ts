import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { chartObject } from './chart-objects.contract.ts';
import { dependenciesOf, isAbout, sayDependency, withoutDependencies } from './pod-dependencies.ts';

const waiting = (kind: string, ...env: readonly [string, string][]): JsonObject =>
  chartObject(kind, 'a', {
    spec: { initContainers: [{ name: 'init', env: env.map(([name, value]) => ({ name, value })) }] },
  }).object;

describe('what pods wait for', () => {
  it.each<[string, string, string, readonly string[]]>([
    ['Jobs by name', 'DEPENDENCY_JOBS', 'a-db-init, a-db-sync,', ['Job a-db-init', 'Job a-db-sync']],
    ['Jobs in a namespace', 'DEPENDENCY_JOBS', 'other:a', ['Job a']],
    [
      'Jobs in JSON',
      'DEPENDENCY_JOBS_JSON',
      '[{"name":"a"},{"labels":{"app":"b"}}]',
      ['Job a', 'Job with app=b'],
    ],
    ['Services', 'DEPENDENCY_SERVICE', 'openstack:mariadb', ['Service mariadb']],
    ['DaemonSets', 'DEPENDENCY_DAEMONSET', 'ovs', ['DaemonSet ovs']],
    [
      'Pods',
      'DEPENDENCY_POD_JSON',
      '[{"labels":{"a":"b","c":"d"},"requireSameNode":true}]',
      ['Pod with a=b,c=d'],
    ],
    ['nothing', 'DEPENDENCY_JOBS', '', []],
    ['nothing that can be read', 'DEPENDENCY_POD_JSON', '[{', []],
    ['nothing, by another variable', 'DEPENDENCY', 'a', []],
  ])('%s', (_, name, value, want) => {
    for (const kind of ['Deployment', 'CronJob', 'Pod', 'Job'])
      expect(dependenciesOf(waiting(kind, [name, value])).map(sayDependency)).toEqual(want);
  });

  it('is not what a Service says', () => {
    expect(dependenciesOf(chartObject('Service', 'a').object)).toEqual([]);
  });
});

describe('a wait that is dropped', () => {
  it.each([
    ['one of several', 'DEPENDENCY_JOBS', 'a,b,c', 'a,c'],
    ['the only one', 'DEPENDENCY_JOBS', 'b', ''],
    [
      'one in JSON',
      'DEPENDENCY_JOBS_JSON',
      '[{"name": "a", "namespace": "x"}, {"name": "b"}]',
      '[{"name":"a","namespace":"x"}]',
    ],
  ])('%s', (_, name, value, want) => {
    const dropped = withoutDependencies(waiting('Deployment', [name, value]), one => one.name === 'b');
    expect(dropped).toEqual(waiting('Deployment', [name, want]));
  });

  it.each(['DEPENDENCY_JOBS', 'DEPENDENCY_JOBS_JSON', 'OTHER'])(
    'leaves the object itself where there is none: %s',
    name => {
      const object = waiting('CronJob', [name, ' a , b']);
      expect(withoutDependencies(object, () => false)).toBe(object);
    },
  );
});

describe('a dependency is about', () => {
  const labelled = chartObject('Deployment', 'a', { labels: { app: 'x', tier: 'y' } }).object;
  const elsewhere = chartObject('Job', 'a', { more: { metadata: { name: 'a', namespace: 'other' } } }).object;
  it.each([
    ['a Job of its name', { what: 'Job', name: 'a' }, chartObject('Job', 'a').object, true],
    ['no other kind of its name', { what: 'Service', name: 'a' }, chartObject('Job', 'a').object, false],
    ['pods with its labels', { what: 'Pod', labels: { app: 'x' } }, labelled, true],
    ['no pods with other labels', { what: 'Pod', labels: { app: 'z' } }, labelled, false],
    ['nobody, without name and labels', { what: 'Pod' }, labelled, false],
    ['an object of its namespace', { what: 'Job', name: 'a', namespace: 'other' }, elsewhere, true],
    ['none of another namespace', { what: 'Job', name: 'a', namespace: 'openstack' }, elsewhere, false],
  ] as const)('%s', (_, dependency, object, want) => {
    expect(isAbout(dependency, object)).toBe(want);
  });
});
