import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { JsonObject } from '../base/json.ts';
import { checkReferences, checkStages } from './check-references.ts';
import { type Draft, draftOf } from './draft.ts';
import { parseYaml } from './parse-yaml.ts';

function draft(spec: JsonObject): Draft {
  const [manifest] = parseYaml('a.yaml', stringify({ spec })).manifests;
  if (!manifest) throw new Error('the test has no manifest');
  return draftOf(manifest, manifest.object['spec']);
}

describe('checkReferences', () => {
  const services = [
    { name: 'mariadb' },
    { name: 'nova', components: [{ name: 'compute', hostGroups: [{ name: 'zone-a' }] }] },
  ];
  const rows: { name: string; spec: JsonObject; want?: string[] }[] = [
    { name: 'a service that is there', spec: { services: [...services, { dependsOn: ['nova'] }] } },
    {
      name: 'a component is no service',
      spec: { services: [{ dependsOn: ['compute'] }, ...services] },
      want: ['ReferenceUnknown spec.services[0].dependsOn[0]'],
    },
    {
      name: 'a host group is no service, and the other way round',
      spec: { services, stages: [{ services: ['zone-a'], hostGroups: ['nova'] }] },
      want: ['ReferenceUnknown spec.stages[0].services[0]', 'ReferenceUnknown spec.stages[0].hostGroups[0]'],
    },
    {
      name: 'a stage may speak of a service that goes',
      spec: { services, removed: [{ name: 'heat' }], stages: [{ services: ['heat'] }] },
    },
    {
      name: 'a service may not need one that goes',
      spec: { services: [{ dependsOn: ['heat'] }], removed: [{ name: 'heat' }] },
      want: ['ReferenceUnknown spec.services[0].dependsOn[0]'],
    },
    {
      name: 'names that every object has stand for nothing',
      spec: { services: [{ dependsOn: ['constructor', '__proto__'] }] },
      want: [
        'ReferenceUnknown spec.services[0].dependsOn[0]',
        'ReferenceUnknown spec.services[0].dependsOn[1]',
      ],
    },
  ];
  it.each(rows)('$name', ({ spec, want = [] }) => {
    expect(checkReferences(draft(spec)).map(({ code, field }) => `${code} ${field}`)).toEqual(want);
  });

  it('stays quick when every name is wrong', () => {
    const names = Array.from({ length: 500 }, (_, i) => `service-${i}`);
    const wrong = names.map((name, i) => ({
      name,
      dependsOn: Array.from({ length: 20 }, (_, j) => `x-${i}-${j}`),
    }));
    const prepared = draft({ services: wrong });
    const started = performance.now();
    expect(checkReferences(prepared)).toHaveLength(10_000);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe('checkStages', () => {
  const rows: { name: string; stages: JsonObject[]; want?: string[] }[] = [
    {
      name: 'each in one stage',
      stages: [
        { name: 'a', services: ['x'] },
        { name: 'b', services: ['y'], tiers: ['dataplane'] },
      ],
    },
    {
      name: 'a service and a host group of one name',
      stages: [
        { name: 'a', services: ['x'] },
        { name: 'b', hostGroups: ['x'] },
      ],
    },
    {
      name: 'a service, a host group and a tier in two stages each',
      stages: [
        { name: 'a', services: ['x'], hostGroups: ['g'], tiers: ['dataplane'] },
        { name: 'b', services: ['x'], hostGroups: ['g'], tiers: ['dataplane'] },
      ],
      want: ['spec.stages[1].services[0]', 'spec.stages[1].hostGroups[0]', 'spec.stages[1].tiers[0]'],
    },
    { name: 'twice in one stage, which the schema finds', stages: [{ name: 'a', services: ['x', 'x'] }] },
  ];
  it.each(rows)('$name', ({ stages, want = [] }) => {
    const found = checkStages(draft({ services: [], stages }));
    expect(found.map(({ field }) => field)).toEqual(want);
    expect(new Set(found.map(({ code }) => code)).size).toBeLessThanOrEqual(1);
  });
});
