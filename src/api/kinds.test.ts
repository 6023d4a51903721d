import { describe, expect, test } from 'vitest';
import { objectSchema } from './kind.ts';
import { findKind, kinds } from './kinds.ts';
import { phaseKinds } from './phase-kinds.ts';
import { phaseNames } from './phase-names.ts';
import { applyDefaults } from './schema/defaults.ts';
import type { StructuralSchema } from './schema/structural-schema.ts';
import { validate } from './schema/validate.ts';

describe('the kinds', () => {
  test.each([
    ['OpenstackDeployment', 'openstackdeployments', 'osdpl'],
    ['LifecyclePlan', 'lifecycleplans', 'lcplan'],
    ['ServiceRevision', 'servicerevisions', 'osrev'],
    ['Oslc', 'oslcs', 'oslc'],
    ['PlanningPhase', 'planningphases', 'osplan'],
    ['InstallPhase', 'installphases', 'osins'],
    ['TestPhase', 'testphases', 'ostest'],
    ['TrafficRolloutPhase', 'trafficrolloutphases', 'osroll'],
    ['OperationalPhase', 'operationalphases', 'osops'],
    ['TrafficDrainPhase', 'trafficdrainphases', 'osdrain'],
    ['UpgradePhase', 'upgradephases', 'osupg'],
    ['RollbackPhase', 'rollbackphases', 'osrbck'],
    ['DeletePhase', 'deletephases', 'osdlt'],
  ])('%s is %s, in short %s', (name, plural, shortName) => {
    expect(findKind(name)).toMatchObject({ kind: name, plural, shortName });
  });

  test('have names, plurals and short names of their own', () => {
    for (const key of ['kind', 'plural', 'shortName'] as const) {
      expect(new Set(kinds.map(kind => kind[key])).size).toBe(kinds.length);
    }
  });

  test('are found by their exact name only', () => {
    expect(findKind('oslc')).toBeUndefined();
    expect(findKind('toString')).toBeUndefined();
  });

  test('have one phase kind a phase, in the order of a life', () => {
    expect(phaseKinds.map(kind => kind.phase)).toEqual([...phaseNames]);
    for (const { kind, phase } of phaseKinds) expect(kind.toLowerCase()).toBe(`${phase}phase`);
  });

  test.each(phaseKinds)('$kind shows state, target state and whether they are the same', kind => {
    const shown = kind.columns.map(({ name, jsonPath }) => [name, jsonPath]);
    expect(shown).toEqual([
      ['State', '.status.actualState'],
      ['Target State', '.spec.targetState'],
      ['Satisfied', '.status.satisfied'],
      ...(kind.phase === 'test' ? [['TestResults', '.status.testResults']] : []),
    ]);
  });
});

/** Specs as manifests written for the group's earlier operator have them, with fields that its schema never had. */
const chart = { type: 'tar', location: '/charts/keystone' };
const phase = {
  source: chart,
  openstackServiceName: 'keystone',
  openstackServiceEndPoint: 'http://keystone-api.openstack.svc:5000',
  targetOpenstackServiceVersion: 'stein',
  targetState: 'deployed',
};
const extra = { clientTLSSecret: 'keystone-tls', openstackEndpoints: ['http://one', 'http://two'] };
const offsite = {
  storageType: 'Offsite',
  offsite: {
    path: 'backups/keystone.sql',
    offsiteSecret: 'offsite-credentials',
    endpoint: 'http://store:9000',
    forcePathStyle: true,
  },
};

const existing: readonly [string, Record<string, unknown>][] = [
  ['PlanningPhase', { ...phase, targetState: 'uninitialized', ...extra }],
  ['InstallPhase', { ...phase, initDB: 'true', config: { debug: 'true' }, ...extra }],
  ['TestPhase', { ...phase, testStrategy: { timeoutInSecond: 120 }, config: { suite: 'smoke' }, ...extra }],
  ['TrafficRolloutPhase', { ...phase, trafficRolloutStrategy: { timeoutInSecond: 60 }, ...extra }],
  ['OperationalPhase', { ...phase, inServicePolicy: { timeoutInSecond: 60 }, config: {}, ...extra }],
  ['TrafficDrainPhase', { ...phase, trafficDrainStrategy: { timeoutInSecond: 60 }, ...extra }],
  [
    'UpgradePhase',
    { ...phase, backupDB: 'true', ...offsite, backupPolicy: { timeoutInSecond: 300 }, config: {}, ...extra },
  ],
  ['UpgradePhase', { ...phase, ...offsite, storageType: 'offsite', ...extra }],
  [
    'RollbackPhase',
    { ...phase, restoreDB: 'true', storageType: 'Ceph', ceph: { path: 'b/f', cephSecret: 's' } },
  ],
  ['DeletePhase', { ...phase, purgeDB: 'false', ...extra }],
  [
    'Oslc',
    {
      serviceName: 'keystone',
      serviceEndPoint: 'http://keystone-api:5000',
      source: { type: 'generate', location: '/charts/keystone' },
      flowKind: 'install',
      targetState: 'deployed',
      revisionHistoryLimit: 10,
      ...extra,
    },
  ],
  ['Oslc', { serviceName: 'keystone', source: chart, flowKind: 'all-phases' }],
];

function problemsOf(name: string, value: Record<string, unknown>) {
  const kind = findKind(name);
  if (!kind) throw new Error(`no kind ${name}`);
  const schema: StructuralSchema = objectSchema(kind);
  const manifest = {
    apiVersion: 'openstacklcm.airshipit.org/v1alpha1',
    kind: name,
    metadata: { name: 'x' },
    ...value,
  };
  return validate(schema, applyDefaults(schema, manifest));
}

describe('existing manifests', () => {
  test.each(existing)('%s is accepted', (name, spec) => {
    expect(problemsOf(name, { spec })).toEqual([]);
  });

  test.each(existing)(
    '%s is accepted with only what it must have, and gets its target state',
    (name, spec) => {
      const kind = findKind(name);
      const least = Object.fromEntries((kind?.spec.json.required ?? []).map(field => [field, spec[field]]));
      expect(problemsOf(name, { spec: least })).toEqual([]);
      expect(applyDefaults(kind?.spec.json ?? {}, least)).toMatchObject({ targetState: 'deployed' });
    },
  );

  test.each(existing)(
    '%s is accepted with an empty target state, as programs in Go write it',
    (name, spec) => {
      expect(problemsOf(name, { spec: { ...spec, targetState: '' } })).toEqual([]);
    },
  );

  test.each(phaseKinds)(
    'the status of $kind keeps the older words beside the conditions',
    ({ kind, phase: of }) => {
      const status = {
        satisfied: true,
        reason: 'InstallSuccessful',
        actualState: 'deployed',
        actualOpenstackServiceVersion: 'stein',
        conditions: [
          {
            type: 'Deployed',
            status: 'True',
            reason: 'InstallSuccessful',
            message: 'done',
            resourceName: 'keystone',
            resourceVersion: 7,
            lastTransitionTime: '2026-01-31T22:00:00Z',
          },
        ],
        ...(of === 'test' ? { testResults: 'passed' } : {}),
      };
      const spec = { source: chart, openstackServiceName: 'keystone' };
      expect(problemsOf(kind, { spec, status })).toEqual([]);
    },
  );

  test.each([
    ['a state that is none', 'InstallPhase', { ...phase, targetState: 'done' }, ['spec', 'targetState']],
    ['no service', 'InstallPhase', { source: chart }, ['spec', 'openstackServiceName']],
    ['a number for text', 'InstallPhase', { ...phase, initDB: true }, ['spec', 'initDB']],
    ['no flow', 'Oslc', { serviceName: 'keystone', source: chart }, ['spec', 'flowKind']],
  ])('%s is refused', (_, name, spec, path) => {
    expect(problemsOf(name, { spec }).map(problem => problem.path)).toEqual([path]);
  });
});

describe('a record', () => {
  test('as short as the wish is accepted, and gets what a careful operator would choose', () => {
    const spec = {
      source: { type: 'local', location: 'packages/{name}/{version}' },
      services: [{ name: 'keystone', version: '22.0.0' }],
    };
    expect(problemsOf('OpenstackDeployment', { spec })).toEqual([]);
    expect(applyDefaults(findKind('OpenstackDeployment')?.spec.json ?? {}, spec)).toEqual({
      source: { type: 'local', location: 'packages/{name}/{version}' },
      services: [
        {
          name: 'keystone',
          version: '22.0.0',
          values: {},
          valuesFrom: [],
          dependsOn: [],
          paused: false,
          allowUnsupportedJump: false,
          components: [],
        },
      ],
      removed: [],
      shared: {},
      approval: 'manual',
      maxParallel: 4,
      soakSeconds: 3600,
      maintenanceWindows: [],
      revisionHistoryLimit: 10,
      serviceAccountName: 'default',
    });
  });

  test('with an unknown field is refused, unlike the older kinds', () => {
    const spec = { services: [], servces: [] };
    expect(problemsOf('OpenstackDeployment', { spec })).toMatchObject([
      { code: 'FieldUnknown', path: ['spec', 'servces'] },
    ]);
  });
});
