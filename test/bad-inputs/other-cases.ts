import type { BadInput } from './bad-input.ts';

const invalid = 3;
const good = 'records/lower version that never ran.yaml'; // nothing is wrong with it while nothing runs

/** Packages by themselves: test/bad-inputs/testdata/packages. */
const packages: Readonly<Record<string, Pick<BadInput, 'want' | 'suggests'>>> = {
  'library-chart': { want: ['PackageInvalid Chart.yaml 3:7 type'], suggests: 'uses it' },
  'bad-limit': {
    want: [
      'VersionInvalid lifecycle.yaml 4:32 requires[0].version',
      'VersionInvalid lifecycle.yaml 5:18 upgrade.from',
    ],
  },
  'number-as-version': { want: ['FieldType lifecycle.yaml 2:10 version'], suggests: 'quotes' },
  'no-such-phase': { want: ['FieldUnknown lifecycle.yaml 3:11 phases.instal'], suggests: 'install' },
  'no-such-file': { want: ['PackageInvalid lifecycle.yaml 3:21 phases.install[0]'], suggests: 'config.yaml' },
  'no-such-task': { want: ['TaskMissing lifecycle.yaml 5:13 data[0].backup'], suggests: 'job/db-backup' },
  'half-a-migration': { want: ['RuleBroken lifecycle.yaml 5:14 data[0].migrate'] },
  'two-lifecycles': { want: ['PackageInvalid lifecycle.yaml 4:1'] },
  'values-are-a-list': { want: ['FieldType values.yaml 1:1'] },
  'empty-manifest': { want: ['FileEmpty config.yaml'] },
  'manifest-without-name': {
    want: ['ManifestInvalid config.yaml 3:11 metadata.name', 'ManifestInvalid config.yaml 5:1 kind'],
  },
};

export const packageCases: readonly BadInput[] = Object.entries(packages).map(([name, row]) => ({
  name,
  words: ['validate', `packages/${name}/1.0.0`],
  code: invalid,
  ...row,
}));

/** Calls whose words are known and whose input is not what it should be. */
export const callCases: readonly BadInput[] = [
  {
    name: 'file that is not there',
    words: ['plan', 'records/nowhere.yaml'],
    code: invalid,
    want: ['FileUnreadable'],
  },
  {
    name: 'folder without YAML',
    words: ['plan', 'packages'],
    code: invalid,
    want: ['FileEmpty'],
  },
  {
    name: 'package in place of a record',
    words: ['plan', 'packages/hello/1.0.0'],
    code: invalid,
    want: ['NoRecord'],
    suggests: 'afloat explain',
  },
  {
    name: 'archive that is not there',
    words: ['explain', 'nowhere.tgz'],
    code: invalid,
    want: ['PackageNotFound'],
  },
  {
    name: 'nothing on standard input',
    words: ['validate', '-'],
    code: invalid,
    want: ['FileEmpty <stdin>'],
  },
  {
    name: 'state that is not there',
    words: ['plan', good, '--from', 'nowhere.yaml'],
    code: invalid,
    want: ['FileUnreadable nowhere.yaml'],
  },
  {
    name: 'state with a field that is misspelt',
    words: ['plan', good, '--from', 'states/field that is misspelt.yaml'],
    code: invalid,
    want: ['FieldUnknown states/field that is misspelt.yaml 4:5 services[0].verison'],
    suggests: 'version',
  },
  {
    name: 'state with a word that is not allowed',
    words: ['plan', good, '--from', 'states/word that is not allowed.yaml'],
    code: invalid,
    want: ['FieldInvalid states/word that is not allowed.yaml 2:27 services[0].state'],
  },
  {
    name: 'state with two documents',
    words: ['plan', good, '--from', 'states/two documents.yaml'],
    code: invalid,
    want: ['StateInvalid states/two documents.yaml 3:1'],
  },
  {
    name: 'record in place of a state',
    words: ['plan', good, '--from', good],
    code: invalid,
    want: ['StateInvalid 2:7 kind'],
  },
  {
    name: 'record and state both on standard input',
    words: ['plan', '-', '--from', '-'],
    code: 64,
    want: ['UsageInvalid'],
  },
  {
    name: 'contract that nobody waits for',
    words: ['plan', good, '--contract', 'hello'],
    code: 4,
    want: ['StateInvalid'],
  },
];
