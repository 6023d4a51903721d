import type { BadInput } from './bad-input.ts';

const invalid = 3;
const refused = 4;

type Row = Omit<BadInput, 'name' | 'words' | 'code'> & { readonly from?: string };

/** Records that are wrong by themselves, or together with their packages: test/bad-inputs/testdata/records. */
const wrong: Readonly<Record<string, Row>> = {
  // Fields
  'field that is not known': { want: ['FieldUnknown 6:3 spec.colour'] },
  'field that is misspelt': {
    want: ['FieldMissing 7:7 spec.services[0].version', 'FieldUnknown 8:7 spec.services[0].verison'],
    suggests: 'version',
  },
  'version without quotes': { want: ['FieldType 8:16 spec.services[0].version'], suggests: 'quotes' },
  'list where a map is wanted': { want: ['FieldType 5:3 spec'] },
  'service without a version': { want: ['FieldMissing 7:7 spec.services[0].version'] },
  'word that is not allowed': {
    want: ['FieldInvalid 7:50 spec.services[0].strategy'],
    suggests: 'bluegreen',
  },
  'number that is too large': { want: ['FieldInvalid 6:16 spec.maxParallel'] },
  'name with capitals': { want: ['FieldInvalid 3:19 metadata.name'] },
  'service twice': { want: ['FieldDuplicate 8:7 spec.services[1]'] },
  'key twice': { want: ['FieldDuplicate 9:7 spec.services[0].version'] },
  'stage of nobody': { want: ['RuleBroken 9:7 spec.stages[0]'] },
  'time zone that is none': { want: ['FieldInvalid 9:69 spec.maintenanceWindows[0].timeZone'] },
  'service kept and removed': { want: ['RuleBroken 9:5 spec.removed'] },
  'dependency on itself': { want: ['RuleBroken 7:51 spec.services[0].dependsOn'] },
  'dependency that is not there': {
    want: [
      'ReferenceUnknown 7:52 spec.services[0].dependsOn[0]',
      'ReferenceUnknown 8:52 spec.services[1].dependsOn[0]',
    ],
    suggests: 'hello',
  },
  'no source': { want: ['SourceMissing 6:7 spec.services[0].source'] },

  // Secrets
  'password in plain text': {
    want: ['InlineSecret 10:44 spec.services[0].values.database.password'],
    suggests: 'valuesFrom',
  },
  'password in a URL': { want: ['InlineSecret 7:16 spec.shared.transport'], suggests: 'valuesFrom' },
  'private key': { want: ['InlineSecret 10:14 spec.services[0].values.tls'], suggests: 'valuesFrom' },
  'secret in a line that is no YAML': { want: ['YamlSyntax 10:1'] },

  // Versions
  'version that is none': { want: ['VersionInvalid 7:31 spec.services[0].version'] },
  'version with blanks': { want: ['FieldInvalid 7:31 spec.services[0].version'] },
  'location that leaves by its version': { want: ['FieldInvalid 7:31 spec.services[0].version'] },

  // Documents
  'kind that is misspelt': { want: ['KindUnknown 2:7 kind'], suggests: 'OpenstackDeployment' },
  'version of the API that is not there': { want: ['KindUnknown 1:13 apiVersion'], suggests: 'v1alpha1' },
  'no record among the documents': { want: ['NoRecord'], suggests: 'afloat init' },
  'two records': { want: ['SecondRecord 11:19 metadata.name'] },
  empty: { want: ['FileEmpty'], suggests: 'afloat init' },
  'only comments': { want: ['FileEmpty'] },
  'list at the top': { want: ['FieldType 1:1'] },
  'text and no YAML': { want: ['FieldType 1:1'] },
  'bracket that is not closed': { want: ['YamlSyntax 8:1'] },
  tabs: { want: ['YamlSyntax 7:1'], andMore: true },
  'alias of nothing': { want: ['YamlSyntax 7:7 spec.services[0]'] },
  'tag that is not known': { want: ['YamlSyntax 7:31'] },

  // Packages
  'package that is not there': { want: ['PackageNotFound 7:31 spec.services[0].version'] },
  'package of another version': { want: ['PackageMismatch 7:41 spec.services[0].version'] },
  'package with another digest': { want: ['DigestMismatch 9:15 spec.services[0].digest'] },
  'package that is none': {
    want: [
      'PackageInvalid packages/library-chart/1.0.0/Chart.yaml 3:7 type',
      'PackageInvalid packages/lifecycle-elsewhere/1.0.0',
      'PackageInvalid packages/no-lifecycle/1.0.0',
    ],
    suggests: 'meta/lifecycle.yml',
  },
  'value that nobody gives': {
    want: [
      'ValueMissing packages/wants-values/1.0.0/config.yaml 5:9 data.port',
      'ValueMissing packages/wants-values/1.0.0/config.yaml 6:13 data.replicas',
      'ValueMissing packages/wants-values/1.0.0/config.yaml 7:11 data.region',
      'ValueMissing packages/wants-values/1.0.0/config.yaml 8:8 data.odd',
    ],
    suggests: 'values.replicas',
  },
  'component that is not there': {
    want: ['ReferenceUnknown 10:19 spec.services[0].components[0].name'],
    suggests: 'agent',
  },
};

/** Records that are well formed, and of which no plan can be made. */
const unplannable: Readonly<Record<string, Row>> = {
  circle: { want: ['DependencyCycle 7:7 spec.services[0]'] },
  'requirement that is not there': { want: ['RequirementMissing 7:7 spec.services[0]'] },
  'requirement in the wrong version': { want: ['VersionLimitBroken 8:37 spec.services[1].version'] },
  'component too far behind': { want: ['SkewBroken 10:9 spec.services[0].components'] },
  'jump over releases': {
    from: 'states/old parts run.yaml',
    want: ['UnsupportedJump 7:31 spec.services[0].version'],
    andMore: true, // the components would be too far apart as well
    suggests: 'allowUnsupportedJump',
  },
  'removal of what is needed': { from: 'states/hello runs.yaml', want: ['StillRequired 9:5 spec.removed'] },
  'lower version that never ran': {
    from: 'states/hello runs.yaml',
    want: ['RevisionUnknown 7:31 spec.services[0].version'],
  },
};

/** Every record of test/bad-inputs/testdata/records. */
export const recordCases: readonly BadInput[] = [
  ...Object.entries(wrong).map(([name, row]) => caseOf(name, invalid, row)),
  ...Object.entries(unplannable).map(([name, row]) => caseOf(name, refused, row)),
];

function caseOf(name: string, code: number, { from, ...row }: Row): BadInput {
  const words = ['plan', `records/${name}.yaml`, ...(from === undefined ? [] : ['--from', from])];
  return { name, words, code, ...row };
}
