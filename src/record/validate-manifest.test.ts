import { describe, expect, it } from 'vitest';
import type { Finding } from '../api/finding.ts';
import { parseYaml } from './parse-yaml.ts';
import { unknownFields, validateManifest } from './validate-manifest.ts';

const ours = 'apiVersion: openstacklcm.airshipit.org/v1alpha1';
const record = `${ours}
kind: OpenstackDeployment
metadata: { name: north, namespace: openstack }
spec:
  services: []
`;

function briefly(findings: readonly Finding[]): string[] {
  return findings.map(({ code, line, column, field }) => `${code} ${line}:${column} ${field}`);
}

function manifestsOf(text: string) {
  const { manifests, findings } = parseYaml('a.yaml', text);
  expect(findings).toEqual([]);
  return manifests;
}

describe('validateManifest', () => {
  const install = `${ours}
kind: InstallPhase
metadata: { name: keystone-install }
spec:
  openstackServiceName: keystone
  source: { type: tar, location: /charts/keystone }
`;
  const rows: { name: string; text: string; want: string[] }[] = [
    { name: 'a record that is right', text: record, want: [] },
    { name: 'a phase with fields of its own', text: `${install}  myOwn: 1\n`, want: [] },
    { name: 'a Secret is none of our business', text: 'apiVersion: v1\nkind: Secret\ndata: 7\n', want: [] },
    {
      name: 'a kind of ours in the group of somebody else is none either',
      text: 'apiVersion: lcm.mirantis.com/v1alpha1\nkind: OpenstackDeployment\n',
      want: [],
    },
    {
      name: 'no apiVersion and no kind',
      text: 'a: 1\n',
      want: ['FieldMissing 1:1 apiVersion', 'FieldMissing 1:1 kind'],
    },
    { name: 'a kind that is no text', text: `${ours}\nkind: 7\n`, want: ['FieldType 2:7 kind'] },
    { name: 'a misspelt kind', text: `${ours}\nkind: OpenstackDeploymnet\n`, want: ['KindUnknown 2:7 kind'] },
    { name: 'a kind unlike ours', text: `${ours}\nkind: Banana\n`, want: ['KindUnknown 2:7 kind'] },
    {
      name: 'our group at a version that is not served',
      text: record.replace('v1alpha1', 'v2'),
      want: ['KindUnknown 1:13 apiVersion'],
    },
    {
      name: 'a slip in the group, and one in the kind',
      text: 'apiVersion: openstacklcm.airshipit.com/v1alpha1\nkind: Osc\n',
      want: ['KindUnknown 1:13 apiVersion', 'KindUnknown 2:7 kind'],
    },
    {
      name: 'no metadata',
      text: record.replace(/metadata.*\n/, ''),
      want: ['FieldMissing 1:1 metadata.name'],
    },
    {
      name: 'a name that is no DNS name',
      text: record.replace('north', 'a..b'),
      want: ['FieldInvalid 3:19 metadata.name'],
    },
    {
      name: 'a namespace with a dot',
      text: record.replace('namespace: openstack', 'namespace: a.b'),
      want: ['FieldInvalid 3:37 metadata.namespace'],
    },
    {
      name: 'a label that is a number',
      text: record.replace('namespace: openstack', 'labels: { tier: 1 }'),
      want: ['FieldType 3:42 metadata.labels.tier'],
    },
    {
      name: 'annotations as a list',
      text: record.replace('namespace: openstack', 'annotations: []'),
      want: ['FieldType 3:39 metadata.annotations'],
    },
    { name: 'no spec', text: record.replace(/spec:\n.*\n/, ''), want: ['FieldMissing 1:1 spec'] },
    {
      name: 'a misspelt field, at its key',
      text: `${record}  maxParalel: 3\n`,
      want: ['FieldUnknown 6:3 spec.maxParalel'],
    },
    {
      name: 'a wrong word, at its value',
      text: `${record}  approval: never\n`,
      want: ['FieldInvalid 6:13 spec.approval'],
    },
    {
      name: 'every mistake and not the first',
      text: `${record}  approval: 1\n  maxParallel: 0\nsepc: {}\n`,
      want: ['FieldUnknown 8:1 sepc', 'FieldType 6:13 spec.approval', 'FieldInvalid 7:16 spec.maxParallel'],
    },
    {
      name: 'a rule over fields that were left out',
      text: record.replace('[]', '[{ name: a, version: "1" }]'),
      want: [],
    },
    {
      name: 'a service that needs itself',
      text: record.replace('[]', '[{ name: a, version: "1", dependsOn: [a] }]'),
      want: ['RuleBroken 5:50 spec.services[0].dependsOn'],
    },
  ];
  it.each(rows)('$name', ({ text, want }) => {
    const found = briefly(manifestsOf(text).flatMap(validateManifest));
    expect(found.toSorted()).toEqual(want.toSorted());
  });

  const advised: { name: string; text: string; advice: string }[] = [
    {
      name: 'the kind that was meant',
      text: `${ours}\nkind: OpenStackDeployment\n`,
      advice: 'OpenstackDeployment',
    },
    { name: 'the field that was meant', text: `${record}  maxParalel: 3\n`, advice: 'maxParallel' },
    { name: 'the word that was meant', text: `${record}  approval: manul\n`, advice: 'manual' },
    {
      name: 'quotes around a version',
      text: record.replace('[]', '[{ name: a, version: 22.10 }]'),
      advice: 'quotes',
    },
  ];
  it.each(advised)('advises $name', ({ text, advice }) => {
    const [found] = manifestsOf(text).flatMap(validateManifest);
    expect(found?.advice).toContain(advice);
  });

  it('does not advise quotes around nothing', () => {
    const [found] = manifestsOf(record.replace('[]', '[{ name: a, version: }]')).flatMap(validateManifest);
    expect(found?.code).toBe('FieldMissing');
    expect(found?.advice).not.toContain('quotes');
  });

  it('names the fields that a phase keeps and ignores, at their keys', () => {
    const text = `${install}  targetSate: deployed\n  config: { any: "1" }\n  other: { below: 1 }\n`;
    const found = manifestsOf(text).flatMap(unknownFields);
    expect(briefly(found)).toEqual(['FieldUnknown 7:3 spec.targetSate', 'FieldUnknown 9:3 spec.other']);
    expect(found[0]?.advice).toContain('targetState');
  });

  it('has nothing to ignore in kinds that refuse unknown fields, nor in kinds of others', () => {
    const values = '[{ name: a, version: "1", values: { any: 1 } }]';
    const text = `${record.replace('[]', values)}  other: 1\n---\napiVersion: v1\nkind: Secret\nspec: { a: 1 }\n`;
    expect(manifestsOf(text).flatMap(unknownFields)).toEqual([]);
  });
});
