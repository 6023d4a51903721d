import { describe, expect, it } from 'vitest';
import type { Finding } from '../api/finding.ts';
import { parseYaml } from './parse-yaml.ts';
import { type Resolution, resolveRecord } from './resolve-record.ts';

const head = `apiVersion: openstacklcm.airshipit.org/v1alpha1
kind: OpenstackDeployment
metadata: { name: north, namespace: openstack }
spec:
`;
const source = `  source: { type: local, location: "packages/{name}/{version}" }\n`;
const services = `  services:
    - { name: mariadb, version: "10.11.6" }
    - { name: keystone, version: "22.0.0", dependsOn: [mariadb] }
    - name: nova
      version: "29.0.0"
      components:
        - { name: compute, hostGroups: [{ name: zone-a, version: "28.0.0" }] }
`;
const cloud = head + source + services;

function resolve(text: string): Resolution {
  const { manifests, findings } = parseYaml('north.yaml', text);
  return resolveRecord(manifests, findings);
}

function briefly(findings: readonly Finding[]): string[] {
  return findings.map(({ code, line, column, field }) =>
    line === undefined ? code : `${code} ${line}:${column} ${field}`,
  );
}

describe('resolveRecord gives', () => {
  it('a record with defaults, sources and services in name order', () => {
    const { record, findings } = resolve(cloud);
    expect(findings).toEqual([]);
    expect(record).toMatchObject({
      name: 'north',
      namespace: 'openstack',
      generation: 0,
      file: 'north.yaml',
      spec: { maxParallel: 4, approval: 'manual', removed: [], shared: {} },
    });
    expect(record?.services.map(({ name, index }) => ({ name, index }))).toEqual([
      { name: 'keystone', index: 1 },
      { name: 'mariadb', index: 0 },
      { name: 'nova', index: 2 },
    ]);
    expect(record?.services[0]).toMatchObject({ source: { type: 'local' }, values: {}, paused: false });
    expect(record?.locate(['spec', 'services', 1, 'version'])).toEqual({ line: 8, column: 34 });
  });

  it('the namespace `default` and the generation of the object', () => {
    const { record } = resolve(cloud.replace('namespace: openstack', 'generation: 7'));
    expect(record).toMatchObject({ namespace: 'default', generation: 7 });
  });

  it('a service its own source before that of the record', () => {
    const own = 'version: "10.11.6", source: { type: tar, location: "{name}.tgz" }';
    const { record } = resolve(cloud.replace('version: "10.11.6"', own));
    expect(record?.services.map(service => service.source.type)).toEqual(['local', 'tar', 'local']);
  });

  it('a record among manifests of others', () => {
    const { record } = resolve(`apiVersion: v1\nkind: Secret\nmetadata: { name: a }\n---\n${cloud}`);
    expect(record?.name).toBe('north');
  });
});

describe('resolveRecord finds', () => {
  const stages = '  stages:\n    - { name: a, services: [mariadb] }\n    - ';
  const rows: { name: string; text: string; want: string[] }[] = [
    { name: 'no record', text: 'apiVersion: v1\nkind: Secret\n', want: ['NoRecord'] },
    {
      name: 'a misspelt record, and not that there is none',
      text: cloud.replace('OpenstackDeployment', 'OpenstackDeploymet'),
      want: ['KindUnknown 2:7 kind'],
    },
    {
      name: 'a record that cannot be parsed, likewise',
      text: `${head}]`,
      want: ['YamlSyntax 5:1 undefined'],
    },
    {
      name: 'a second record in the namespace',
      text: `${cloud}---\n${cloud}`,
      want: ['SecondRecord 16:19 metadata.name'],
    },
    {
      name: 'records of two clouds',
      text: `${cloud}---\n${cloud.replace('openstack }', 'other }')}`,
      want: ['UsageInvalid 16:19 metadata.name'],
    },
    {
      name: 'versions that are none, of service, component and host group',
      text: cloud
        .replace('10.11.6', 'latest')
        .replace('28.0.0', 'newest')
        .replace('name: compute,', 'name: compute, version: best,'),
      want: [
        'VersionInvalid 7:33 spec.services[0].version',
        'VersionInvalid 12:37 spec.services[2].components[0].version',
        'VersionInvalid 12:81 spec.services[2].components[0].hostGroups[0].version',
      ],
    },
    {
      name: 'a version the schema refuses already, once',
      text: cloud.replace('"10.11.6"', '""'),
      want: ['FieldInvalid 7:33 spec.services[0].version'],
    },
    {
      name: 'services without a source',
      text: head + services.replace('"29.0.0"', '"29.0.0"\n      source: { type: local, location: a }'),
      want: ['SourceMissing 6:7 spec.services[0].source', 'SourceMissing 7:7 spec.services[1].source'],
    },
    {
      name: 'placeholders that stand for nothing',
      text: cloud.replace('{name}/{version}', '{naem}/{version}/{'),
      want: ['FieldInvalid 5:36 spec.source.location', 'FieldInvalid 5:36 spec.source.location'],
    },
    {
      name: 'a dependency on nobody',
      text: cloud.replace('[mariadb]', '[mariadb, rabbitmq]'),
      want: ['ReferenceUnknown 8:65 spec.services[1].dependsOn[1]'],
    },
    {
      name: 'a dependency on what is removed',
      text: `${cloud.replace('[mariadb]', '[rabbitmq]')}  removed: [{ name: rabbitmq }]\n`,
      want: ['ReferenceUnknown 8:56 spec.services[1].dependsOn[0]'],
    },
    {
      name: 'a circle, which is left to the plan',
      text: cloud.replace('"10.11.6"', '"10.11.6", dependsOn: [keystone]'),
      want: [],
    },
    {
      name: 'a service that is kept and removed',
      text: `${cloud}  removed: [{ name: nova }]\n`,
      want: ['RuleBroken 13:12 spec.removed'],
    },
    {
      name: 'stages that name nobody',
      text: `${cloud}${stages}{ name: b, services: [novaa], hostGroups: [zone-b] }\n`,
      want: [
        'ReferenceUnknown 15:29 spec.stages[1].services[0]',
        'ReferenceUnknown 15:50 spec.stages[1].hostGroups[0]',
      ],
    },
    {
      name: 'stages in order',
      text: `${cloud}${stages}{ name: b, services: [gone], hostGroups: [zone-a] }\n  removed: [{ name: gone }]\n`,
      want: [],
    },
    {
      name: 'a service in two stages',
      text: `${cloud}${stages}{ name: b, services: [nova, mariadb] }\n`,
      want: ['FieldDuplicate 15:35 spec.stages[1].services[1]'],
    },
    {
      name: 'a time zone that is none',
      text: `${cloud}  maintenanceWindows: [{ days: [mon], start: "22:00", durationMinutes: 60, timeZone: "+02:00" }]\n`,
      want: ['FieldInvalid 13:86 spec.maintenanceWindows[0].timeZone'],
    },
    {
      name: 'an inline secret',
      text: `${cloud}  shared: { registry: { password: hush } }\n`,
      want: ['InlineSecret 13:35 spec.shared.registry.password'],
    },
    {
      name: 'a path that needs a key',
      text: cloud.replace('"10.11.6"', '"10.11.6", valuesFrom: [{ kind: Secret, name: a, targetPath: b }]'),
      want: ['RuleBroken 7:94 spec.services[0].valuesFrom[0].targetPath'],
    },
    {
      name: 'all of it at once, from top to bottom, in spite of fields of the wrong type',
      text: `${cloud
        .replace('"22.0.0"', '22.0')
        .replace('[mariadb]', '[mariadbb]')}  maxParallel: many\n  shared: { token: hush }\n  stages: 7\n`,
      want: [
        'FieldType 8:34 spec.services[1].version',
        'ReferenceUnknown 8:52 spec.services[1].dependsOn[0]',
        'FieldType 13:16 spec.maxParallel',
        'InlineSecret 14:20 spec.shared.token',
        'FieldType 15:11 spec.stages',
      ],
    },
    {
      name: 'nothing to stumble over where lists hold anything',
      text: `${head}  services: [null, 7, [], { name: 7, version: [], dependsOn: [1], components: [2], valuesFrom: {} }]\n`,
      want: [
        'FieldType 5:14 spec.services[0]',
        'FieldType 5:20 spec.services[1]',
        'FieldType 5:23 spec.services[2]',
        'SourceMissing 5:27 spec.services[3].source',
        'FieldType 5:35 spec.services[3].name',
        'FieldType 5:47 spec.services[3].version',
        'FieldType 5:63 spec.services[3].dependsOn[0]',
        'FieldType 5:80 spec.services[3].components[0]',
        'FieldType 5:96 spec.services[3].valuesFrom',
      ],
    },
    { name: 'a spec that is empty', text: `${head.trimEnd()}\n`, want: ['FieldMissing 4:6 spec'] },
  ];
  it.each(rows)('$name', ({ text, want }) => {
    const { record, findings } = resolve(text);
    expect(briefly(findings)).toEqual(want);
    expect(record === undefined).toBe(want.length > 0);
  });

  it.each([
    { name: 'the service that was meant', text: cloud.replace('[mariadb]', '[maraidb]'), advice: 'mariadb' },
    { name: 'the placeholder that was meant', text: cloud.replace('{name}', '{naem}'), advice: '{name}' },
  ])('$name', ({ text, advice }) => {
    expect(resolve(text).findings[0]?.advice).toContain(advice);
  });
});

describe('the digest', () => {
  const digestOf = (text: string) => resolve(text).record?.digest;
  const staged = `${cloud}  stages: [{ name: a, services: [nova, keystone] }, { name: b, services: [mariadb] }]\n`;

  const same: { name: string; text: string }[] = [
    { name: 'a comment', text: `# hello\n${cloud}` },
    { name: 'the name of the cloud', text: cloud.replace('north', 'south') },
    { name: 'a default that is written out', text: `${cloud}  maxParallel: 4\n` },
    {
      name: 'the order of services',
      text: head + source + services.replace(/(.*mariadb, v.*\n)(.*keystone.*\n)/, '$2$1'),
    },
  ];
  it.each(same)('does not depend on $name', ({ text }) => {
    expect(digestOf(text)).toMatch(/^sha256:/);
    expect(digestOf(text)).toBe(digestOf(cloud));
  });

  it('does not depend on the order of services in a stage', () => {
    expect(digestOf(staged.replace('nova, keystone', 'keystone, nova'))).toBe(digestOf(staged));
  });

  const changed: { name: string; text: string }[] = [
    { name: 'a version', text: staged.replace('22.0.0', '22.0.1') },
    { name: 'a value', text: staged.replace('"22.0.0"', '"22.0.0", values: { replicas: 3 }') },
    { name: 'the source', text: staged.replace('packages/', 'other/') },
    {
      name: 'the order of stages',
      text: staged.replace(/\[(\{ name: a.*?\}), (\{ name: b.*?\})\]/, '[$2, $1]'),
    },
  ];
  it.each(changed)('depends on $name', ({ text }) => {
    expect(digestOf(text)).toMatch(/^sha256:/);
    expect(digestOf(text)).not.toBe(digestOf(staged));
  });
});

describe('a record of a thousand services', () => {
  const service = (i: number) =>
    `    - { name: s${i}, version: "1.${i}.0", dependsOn: [${i > 0 ? `s${i - 1}` : ''}], values: { replicas: 3 } }\n`;
  const text = `${head}${source}  services:\n${Array.from({ length: 1000 }, (_, i) => service(i)).join('')}`;

  it('is resolved, every service of it', () => {
    expect(resolve(text).record?.services).toHaveLength(1000);
  });
});
