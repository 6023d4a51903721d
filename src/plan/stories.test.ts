import { describe, expect, it } from 'vitest';
import type { PackageWords } from '../testing/memory-packages.ts';
import { inputFor, type PlanStory, runsAfter, tellStory } from '../testing/plan-story.ts';
import { storyPackages } from '../testing/story-packages.ts';
import type { ObservedService, ObservedState } from './observed-state.ts';
import { targetDigest } from './target-digest.ts';

/** A record of services in one line each. */
function services(lines: readonly string[], more: readonly string[] = []): string {
  return [...more, 'services:', ...lines.map(line => `  - { ${line} }`)].join('\n');
}

const mariadb = 'name: mariadb, version: "10.6.0"';
const keystone = (version: string, more = '') => `name: keystone, version: "${version}"${more}`;
const glance = (version: string, more = '') => `name: glance, version: "${version}"${more}`;
const nova = (version: string, more = '') => `name: nova, version: "${version}"${more}`;
const region = ['shared: { region: north }'];
const identityCloud = (version: string, more = '') => services([mariadb, keystone(version, more)]);
const imageCloud = (version: string, more = '') =>
  services([mariadb, keystone('22.0.0'), glance(version, more)], region);
const zones =
  ', components: [{ name: compute, version: "30.0.0", hostGroups: [{ name: zone-a }, { name: zone-b }] }]';
const oldZones = ', components: [{ name: compute, hostGroups: [{ name: zone-a }, { name: zone-b }] }]';
const placement = (version: string) => `name: placement, version: "${version}"`;

/** Changes what was observed of one service. */
function change(name: string, make: (service: ObservedService) => Partial<ObservedService>) {
  return (state: ObservedState): ObservedState => ({
    ...state,
    services: state.services.map(service =>
      service.name === name ? { ...service, ...make(service) } : service,
    ),
  });
}

const contracted = change('keystone', service => ({
  databases: service.databases.map(database => ({ ...database, contractedTo: database.expandedTo ?? '' })),
}));

const patched = (words: PackageWords): PackageWords =>
  words.service === 'keystone' && words.version === '22.0.0'
    ? { ...words, values: { level: 'warning' } }
    : words;

/** The name of a story is the name of its file. */
const stories: Record<string, Omit<PlanStory, 'packages'>> = {
  'fresh cloud': {
    now: services(
      [mariadb, keystone('22.0.0'), glance('25.1.0', ', values: { replicas: 3 }'), nova('30.0.0')],
      region,
    ),
  },
  'nothing to do': { before: identityCloud('22.0.0'), now: identityCloud('22.0.0') },
  'one patch': {
    before: imageCloud('25.1.0'),
    now: services([mariadb, keystone('22.0.1'), glance('25.1.0')], region),
  },
  'a patch of a service others require': {
    before: imageCloud('25.1.0'),
    now: services(['name: mariadb, version: "10.11.0"', keystone('22.0.0'), glance('25.1.0')], region),
  },
  'only a value changed': {
    before: identityCloud('22.0.0'),
    now: identityCloud('22.0.0', ', values: { level: debug }'),
  },
  'a value that nothing uses changed': {
    before: identityCloud('22.0.0'),
    now: identityCloud('22.0.0', ', values: { unused: 1 }'),
  },
  'only replicas changed': {
    before: identityCloud('22.0.0'),
    now: identityCloud('22.0.0', ', values: { replicas: 5 }'),
  },
  'a shared value changed': {
    before: imageCloud('25.1.0'),
    now: services([mariadb, keystone('22.0.0'), glance('25.1.0')], ['shared: { region: south }']),
  },
  'the package of the same version changed': {
    before: identityCloud('22.0.0'),
    newPackages: storyPackages.map(patched),
    now: identityCloud('22.0.0'),
  },
  "a secret's content changed": {
    before: identityCloud('22.0.0', ', valuesFrom: [{ kind: Secret, name: keystone-db }]'),
    since: state => ({
      ...change('keystone', () => ({
        secretDigests: [{ kind: 'Secret', name: 'keystone-db', digest: 'keyed:1' }],
      }))(state),
      contents: [{ kind: 'Secret', name: 'keystone-db', digest: 'keyed:2' }],
    }),
    now: identityCloud('22.0.0', ', valuesFrom: [{ kind: Secret, name: keystone-db }]'),
  },
  'two independent changes in one wave': {
    before: services([mariadb, 'name: memcached, version: "1.6.21"', keystone('22.0.0')]),
    now: services([
      'name: mariadb, version: "10.11.0"',
      'name: memcached, version: "1.6.22"',
      keystone('22.0.0'),
    ]),
  },
  'two independent changes, one at a time': {
    before: services([mariadb, 'name: memcached, version: "1.6.21"']),
    now: services(
      ['name: mariadb, version: "10.11.0"', 'name: memcached, version: "1.6.22"'],
      ['maxParallel: 1'],
    ),
  },
  'new control plane while computes of two zones stay old': {
    before: services([mariadb, keystone('22.0.0'), placement('12.0.0'), nova('30.0.0', oldZones)]),
    now: services([mariadb, keystone('22.0.0'), placement('13.0.0'), nova('31.0.0', zones)]),
  },
  'then the computes of one zone': {
    before: [
      services([mariadb, keystone('22.0.0'), placement('12.0.0'), nova('30.0.0', oldZones)]),
      services([mariadb, keystone('22.0.0'), placement('13.0.0'), nova('31.0.0', zones)]),
    ],
    now: services([
      mariadb,
      keystone('22.0.0'),
      placement('13.0.0'),
      nova(
        '31.0.0',
        ', components: [{ name: compute, version: "30.0.0", hostGroups: [{ name: zone-a, version: "31.0.0" }, { name: zone-b }] }]',
      ),
    ]),
  },
  'stages of the record, with a gate before the second zone': {
    before: services([mariadb, keystone('22.0.0'), placement('12.0.0'), nova('30.0.0', oldZones)]),
    now: services(
      [mariadb, keystone('22.0.0'), placement('13.0.0'), nova('31.0.0', oldZones)],
      [
        'stages:',
        '  - { name: control, tiers: [infrastructure, controlplane] }',
        '  - { name: first-zone, hostGroups: [zone-a] }',
        '  - { name: second-zone, hostGroups: [zone-b], gate: manual }',
      ],
    ),
  },
  'skew broken': {
    before: services([mariadb, keystone('22.0.0'), placement('12.0.0'), nova('30.0.0', oldZones)]),
    now: services([mariadb, keystone('22.0.0'), placement('14.0.0'), nova('32.0.0', zones)]),
  },
  'skew broken on the way': {
    before: services([mariadb, keystone('22.0.0'), placement('12.0.0'), nova('30.0.0')]),
    now: services([mariadb, keystone('22.0.0'), placement('14.0.0'), nova('32.0.0')]),
  },
  'version limit broken': {
    before: services([mariadb, keystone('23.0.0')]),
    now: services(['name: mariadb, version: "11.4.0"', keystone('24.0.0')]),
  },
  'version limit of a service that does not change is broken': {
    before: services(['name: mariadb, version: "10.11.0"', keystone('24.0.0')]),
    now: services(['name: mariadb, version: "11.4.0"', keystone('24.0.0')]),
  },
  'requirement that is not there': {
    now: services([mariadb, keystone('22.0.0'), 'name: lonely, version: "1.0.0"']),
  },
  'upgraded only after another service, across tiers': {
    before: services([
      mariadb,
      keystone('22.0.0'),
      'name: openvswitch, version: "3.1.0"',
      'name: neutron, version: "25.0.0"',
    ]),
    now: services([
      mariadb,
      keystone('22.0.0'),
      'name: openvswitch, version: "3.3.0"',
      'name: neutron, version: "26.0.0"',
    ]),
  },
  'unsupported jump refused': { before: identityCloud('22.0.0'), now: identityCloud('27.0.0') },
  'unsupported jump allowed': {
    before: identityCloud('22.0.0'),
    now: identityCloud('27.0.0', ', allowUnsupportedJump: true'),
  },
  cycle: {
    now: services([
      'name: left, version: "1.0.0"',
      'name: right, version: "1.0.0"',
      'name: round, version: "1.0.0"',
    ]),
  },
  'removal without consent': { before: imageCloud('25.1.0'), now: identityCloud('22.0.0') },
  'removal with consent, data kept': {
    before: imageCloud('25.1.0'),
    now: services([mariadb, keystone('22.0.0')], ['removed: [{ name: glance }]']),
  },
  'removal with purge': {
    before: imageCloud('25.1.0'),
    now: services([mariadb, keystone('22.0.0')], ['removed: [{ name: glance, purgeData: true }]']),
  },
  'removal of a service that is still required': {
    before: imageCloud('25.1.0'),
    now: services([keystone('22.0.0'), glance('25.1.0')], ['removed: [{ name: mariadb }]', ...region]),
  },
  'downgrade to a known revision': {
    before: [identityCloud('22.0.0'), identityCloud('22.0.1')],
    now: identityCloud('22.0.0'),
  },
  'downgrade after expand, software only': {
    before: [identityCloud('22.0.0'), identityCloud('23.0.0')],
    now: identityCloud('22.0.0'),
  },
  'downgrade after contract, data restored': {
    before: [identityCloud('22.0.0'), identityCloud('23.0.0')],
    since: contracted,
    now: identityCloud('22.0.0'),
  },
  'downgrade after contract, data policy never': {
    before: [identityCloud('22.0.0'), identityCloud('23.0.0')],
    since: contracted,
    now: identityCloud('22.0.0', ', rollback: { data: never }'),
  },
  'downgrade without a known revision': { before: identityCloud('22.0.1'), now: identityCloud('22.0.0') },
  'target held by a person': {
    before: identityCloud('22.0.0'),
    since: change('keystone', () => ({
      hold: { by: 'person', target: `sha256:${'0'.repeat(64)}`, message: 'audit until Friday' },
    })),
    now: identityCloud('22.0.1'),
  },
  'service paused in the record': {
    before: identityCloud('22.0.0'),
    now: identityCloud('22.0.1', ', paused: true'),
  },
  'a flow of the service is running': {
    before: identityCloud('22.0.0'),
    since: change('keystone', () => ({ state: 'InFlow' })),
    now: identityCloud('22.0.1'),
  },
  'contract pending, soak not over': {
    before: [identityCloud('22.0.0'), identityCloud('23.0.0')],
    since: change('keystone', () => ({ soaking: true })),
    now: identityCloud('23.0.0'),
  },
  'contract pending, can be asked for': {
    before: [identityCloud('22.0.0'), identityCloud('23.0.0')],
    now: identityCloud('23.0.0'),
  },
  'contract asked for': {
    before: [identityCloud('22.0.0'), identityCloud('23.0.0')],
    now: identityCloud('23.0.0'),
    contract: 'keystone',
  },
  'contract refused while the old lives': {
    before: [identityCloud('22.0.0'), identityCloud('23.0.0')],
    since: change('keystone', service => ({
      databases: service.databases.map(database => ({ ...database, oldProcesses: 2 })),
    })),
    now: identityCloud('23.0.0'),
    contract: 'keystone',
  },
  'next schema change waits for the contract': {
    before: [
      services(['name: mariadb, version: "10.11.0"', keystone('22.0.0')]),
      services(['name: mariadb, version: "10.11.0"', keystone('23.0.0')]),
    ],
    now: services(['name: mariadb, version: "10.11.0"', keystone('24.0.0')]),
  },
  'unsplit migration with recreate, outage': { before: imageCloud('25.1.0'), now: imageCloud('26.0.0') },
  'unsplit migration with bluegreen refused': { before: imageCloud('25.1.0'), now: imageCloud('26.0.1') },
  'unsplit migration, data policy never, point of no return': {
    before: imageCloud('25.1.0'),
    now: imageCloud('26.0.0', ', rollback: { data: never }'),
  },
  'upgrade bluegreen with expand': { before: identityCloud('22.0.0'), now: identityCloud('23.0.0') },
  'upgrade rolling, strategy set by the record': {
    before: identityCloud('22.0.0'),
    now: identityCloud('22.0.1', ', strategy: rolling'),
  },
  'install over a database that was there before': {
    before: [imageCloud('25.1.0'), services([mariadb, keystone('22.0.0')], ['removed: [{ name: glance }]'])],
    now: imageCloud('26.0.0'),
  },
  'estimate from history': {
    before: identityCloud('22.0.0'),
    since: change('keystone', () => ({
      durations: [40, 200, 60].map(seconds => ({ flow: 'upgrade', seconds })),
    })),
    now: identityCloud('22.0.1'),
  },
  'approval automatic': {
    before: identityCloud('22.0.0'),
    now: services([mariadb, keystone('22.0.1')], ['approval: automatic']),
  },
};

describe('plans as people read them', () => {
  it.each(Object.entries(stories))('%s', async (name, story) => {
    const { text } = await tellStory({ packages: storyPackages, ...story });
    await expect(text).toMatchFileSnapshot(`testdata/${name}.golden`);
  });

  it('target held after a rollback', async () => {
    const now = identityCloud('22.0.1');
    const { targets } = await inputFor(
      now,
      storyPackages,
      await runsAfter([identityCloud('22.0.0')], storyPackages),
    );
    const target = targets.find(candidate => candidate.service === 'keystone');
    const hold = {
      by: 'rollback' as const,
      target: target ? targetDigest(target, []) : '',
      message: 'Its test failed: 401 on POST /v3/auth/tokens.',
    };
    const held = {
      packages: storyPackages,
      before: identityCloud('22.0.0'),
      since: change('keystone', () => ({ hold })),
    };
    const { text } = await tellStory({ ...held, now });
    await expect(text).toMatchFileSnapshot('testdata/target held after a rollback.golden');
    const moved = await tellStory({ ...held, now: identityCloud('22.0.1', ', values: { level: debug }') });
    await expect(moved.text).toMatchFileSnapshot(
      'testdata/target held after a rollback, then the record changes.golden',
    );
  });
});
