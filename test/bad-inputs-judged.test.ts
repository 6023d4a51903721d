/** Every bad input is either judged by a server too, in the contract suite of the cluster, or has a reason why not. */
import { expect, test } from 'vitest';
import { judgedRecords, unjudgedRecords } from '../src/cluster/contract/bad-records.contract.ts';
import { madeCases } from './bad-inputs/made-cases.ts';
import { callCases, packageCases } from './bad-inputs/other-cases.ts';
import { recordCases } from './bad-inputs/record-cases.ts';

/** Inputs that are no records: no server is ever asked about them. */
const unjudged = [
  { cases: packageCases, because: 'lifecycle.yaml and what it names are files of a package, no objects' },
  { cases: callCases, because: 'what is named in the call is not there, or is a state, which is no object' },
  { cases: madeCases, because: 'files that are read no further, and archives: nothing becomes an object' },
];

test('every bad record is judged, or has a reason why not', () => {
  const names = [...Object.keys(judgedRecords), ...unjudgedRecords.flatMap(one => one.names)];
  expect(names.sort()).toEqual(recordCases.map(({ name }) => name).sort());
});

test.each(unjudged)('no field of an object is named where $because', ({ cases }) => {
  const fields = cases.flatMap(({ want }) => want.map(fieldOf));
  expect(fields.filter(field => field?.startsWith('spec'))).toEqual([]);
});

const judged = Object.entries(judgedRecords).filter(([, { isNoKind }]) => !isNoKind);
test.each(judged)('%s: a server names the fields that the program names', (name, { fields, unknown }) => {
  const want = recordCases.find(one => one.name === name)?.want ?? [];
  expect([...(fields ?? []), ...(unknown ?? [])].sort()).toEqual(want.map(fieldOf).sort());
});

function fieldOf(finding: string): string | undefined {
  return finding.split(' ').at(-1);
}
