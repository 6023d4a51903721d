import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { JsonObject } from '../base/json.ts';
import { checkSources, checkVersions } from './check-services.ts';
import { type Draft, draftOf } from './draft.ts';
import { parseYaml } from './parse-yaml.ts';

function draft(spec: JsonObject): Draft {
  const [manifest] = parseYaml('a.yaml', stringify({ spec })).manifests;
  if (!manifest) throw new Error('the test has no manifest');
  return draftOf(manifest, manifest.object['spec']);
}

describe('checkVersions', () => {
  it.each(['22.0.0', '2025.1', 'zed', '2:22.0.2-0+deb12u3', '27.0.0.0rc1'])(
    'knows %s for a version',
    version => {
      expect(checkVersions(draft({ services: [{ name: 'a', version }] }))).toEqual([]);
    },
  );

  it.each(['latest', 'master', '2025.1-ubuntu_jammy'])('knows %s for none', version => {
    const part = { name: 'b', version };
    const services = [{ ...part, components: [{ ...part, hostGroups: [part] }] }];
    expect(checkVersions(draft({ services })).map(({ code, field }) => `${code} ${field}`)).toEqual([
      'VersionInvalid spec.services[0].version',
      'VersionInvalid spec.services[0].components[0].version',
      'VersionInvalid spec.services[0].components[0].hostGroups[0].version',
    ]);
  });

  it('has no word on a version that is missing or no text', () => {
    expect(checkVersions(draft({ services: [{ name: 'a' }, { name: 'b', version: 7 }] }))).toEqual([]);
  });
});

describe('checkSources', () => {
  const at = (location: string) => ({ source: { type: 'local', location } });
  const rows: { name: string; spec: JsonObject; want?: string[] }[] = [
    { name: 'a source for all', spec: { ...at('packages/{name}/{version}'), services: [{ name: 'a' }] } },
    { name: 'a source for each', spec: { services: [{ name: 'a', ...at('a') }] } },
    {
      name: 'no source',
      spec: { services: [{ name: 'a' }, {}] },
      want: ['SourceMissing spec.services[0].source', 'SourceMissing spec.services[1].source'],
    },
    {
      name: 'a source of the wrong type, which the schema finds',
      spec: { services: [{ name: 'a', source: 7 }] },
    },
    {
      name: 'a misspelt placeholder',
      spec: { ...at('{nmae}'), services: [] },
      want: ['FieldInvalid spec.source.location'],
    },
    {
      name: 'a placeholder without name',
      spec: { services: [at('{}')] },
      want: ['FieldInvalid spec.services[0].source.location'],
    },
    {
      name: 'two unknown placeholders',
      spec: { ...at('{a}/{b}/{name}'), services: [] },
      want: ['FieldInvalid spec.source.location', 'FieldInvalid spec.source.location'],
    },
    {
      name: 'a brace that never closes',
      spec: { ...at('a/{name'), services: [] },
      want: ['FieldInvalid spec.source.location'],
    },
    {
      name: 'a brace that never opens',
      spec: { ...at('a/name}'), services: [] },
      want: ['FieldInvalid spec.source.location'],
    },
  ];
  it.each(rows)('$name', ({ spec, want = [] }) => {
    expect(checkSources(draft(spec)).map(({ code, field }) => `${code} ${field}`)).toEqual(want);
  });
});
