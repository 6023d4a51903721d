import { expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { formatPath } from '../finding.ts';
import { phaseKinds } from '../phase-kinds.ts';
import { unknownFields } from './unknown-fields.ts';

const schema = phaseKinds.find(({ kind }) => kind === 'UpgradePhase')?.spec.json ?? expect.unreachable();

it.each<[string, Json, string[]]>([
  ['a spec that is as its schema says has none', { openstackServiceName: 'keystone', targetState: '' }, []],
  [
    'at the top',
    { clientTLSSecret: 'tls', openstackEndpoints: { a: { b: 1 } } },
    ['clientTLSSecret', 'openstackEndpoints'],
  ],
  ['below', { offsite: { path: 'b/f', offsiteSecret: 's', region: 'eu' } }, ['offsite.region']],
  ['the keys of a map are no fields', { config: { anything: 'goes' } }, []],
  ['what is no object has no fields', 'text', []],
])('%s', (_, value, want) => {
  expect(unknownFields(schema, value).map(path => formatPath(path))).toEqual(want);
});
