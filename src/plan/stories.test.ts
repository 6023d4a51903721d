import { describe, expect, it } from 'vitest';
import type { PackageWords } from '../testing/memory-packages.ts';
import { inputFor, type PlanStory, runsAfter, tellStory } from '../testing/plan-story.ts';
import { storyPackages } from '../testing/story-packages.ts';
import type { Machine } from './check-machine.ts';
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

const heatCloud = (version: string) => services([`name: heat, version: "${version}"`]);
const novaCloud = (version: string, placementVersion: string, more = '') =>
  services([mariadb, keystone('22.0.0'), placement(placementVersion), nova(version, more)]);

/** The same package with one StatefulSet for all its pods. */
function asStatefulSet(words: PackageWords): PackageWords {
  const metadata = { name: words.service };
  const object = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata, spec: { replicas: 2 } };
  return { ...words, files: { [`${words.service}.yaml`]: [object] } };
}

/** Changes what was observed of one service. */
function change(name: string, make: (service: ObservedService) => Partial<ObservedService>) {
  return (state: ObservedState): ObservedState => ({
    ...state,
    services: state.services.map(service =>
      service.name === name ? { ...service, ...make(service) } : service,
    ),
  });
}

const contractedOf = (name: string) =>
  change(name, service => ({
    databases: service.databases.map(database => ({ ...database, contractedTo: database.expandedTo ?? '' })),
  }));
const contracted = contractedOf('keystone');

/** A service that knows nothing of other replicas on its machine; only its test does. */
const takesTheMachine: PackageWords = {
  service: 'heat',
  version: '20.0.0',
  images: [
    { name: 'example/${service}:${version}', command: ['heat-api'] },
    { name: 'example/task:1', command: ['heat-check'], isolation: 'none' },
  ],
  files: {
    'heat.yaml': [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'heat-${slice}' },
        spec: {
          replicas: 2,
          template: {
            spec: {
              containers: [
                {
                  name: 'api',
                  image: 'example/heat:20.0.0',
                  ports: [{ containerPort: 5000 }],
                  volumeMounts: [{ name: 'etc', mountPath: '/etc/app' }],
                },
              ],
            },
          },
        },
      },
    ],
  },
};

/** Heat with a migration in one piece, and no route. */
function wholeHeat(head: string, more: Readonly<Record<string, unknown>> = {}): PackageWords {
  return {
    ...{ service: 'heat', version: `2${head}.0.0`, strategy: 'recreate' },
    data: [
      {
        ...{ name: 'heat', head, migrate: { sync: 'job/heat-db-sync' } },
        ...{ backup: 'job/heat-db-backup', verify: 'job/heat-db-verify', restore: 'job/heat-db-restore' },
        ...more,
      },
    ],
  };
}

/** Its programs keep the promise of `isolation: none`; but their manifests ask for more. All have one image, and each its own reason. */
const needsRights: PackageWords = {
  ...takesTheMachine,
  images: [
    { name: 'heat', command: ['heat-api'], isolation: 'none' },
    { name: 'example/task:1', command: ['heat-check'], isolation: 'none' },
  ],
  files: {
    'heat.yaml': [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'heat-${slice}' },
        spec: {
          template: {
            spec: {
              // What Afloat is anyway, it need not become.
              securityContext: { runAsUser: 1000, runAsGroup: 42 },
              containers: [
                { name: 'engine', image: 'docker.io/library/heat:latest' },
                { name: 'api', image: 'heat', ports: [{ containerPort: 80 }, { containerPort: 8004 }] },
                { name: 'log', image: 'heat', securityContext: { runAsUser: 43, runAsGroup: 1000 } },
                {
                  name: 'proxy',
                  image: 'heat',
                  volumeMounts: [
                    { name: 'etc', mountPath: '/etc/app' },
                    { name: 'tls', mountPath: '/etc/app/tls/' },
                  ],
                },
              ],
            },
          },
        },
      },
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'heat' },
        spec: { ports: [{ port: 443, targetPort: 8004 }, { port: 8004 }] },
      },
    ],
  },
};

/** Two parts, of which one is routed by HAProxy. */
const routedHeat: PackageWords = {
  ...{ service: 'heat', version: '20.0.0', strategy: 'recreate' },
  components: [{ name: 'engine' }, { name: 'api', traffic: { service: 'heat-api', router: 'haproxy' } }],
};

const notRoot: Machine = {
  isolation: 'loopback',
  because: 'namespaces need root',
  user: 1000,
  group: 1000,
};
const asRoot: Machine = {
  isolation: 'namespaces',
  because: 'Pods have namespaces of their own',
  user: 0,
  group: 0,
};

const patched = (words: PackageWords): PackageWords =>
  words.service === 'keystone' && words.version === '22.0.0'
    ? { ...words, values: { level: 'warning' } }
    : words;

/** The name of a story is the name of its file. */
const stories: Record<string, Omit<PlanStory, 'packages'> & Partial<Pick<PlanStory, 'packages'>>> = {
  'fresh cloud': {
    now: services(
      [mariadb, keystone('22.0.0'), glance('25.1.0', ', values: { replicas: 3 }'), nova('30.0.0')],
      region,
    ),
  },
  'nothing to do': { before: identityCloud('22.0.0'), now: identityCloud('22.0.0') },
  'whole migration of a service without a route, writes are at stake once it runs': {
    packages: [wholeHeat('0'), wholeHeat('1')],
    before: heatCloud('20.0.0'),
    now: heatCloud('21.0.0'),
  },
  'whole migration of a database that runs in the service, writes are at stake from its backup on': {
    packages: [wholeHeat('0', { servedHere: true }), wholeHeat('1', { servedHere: true })],
    before: heatCloud('20.0.0'),
    now: heatCloud('21.0.0'),
  },
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
  'one wish that is impossible, and the operator carries out the rest': {
    before: services([mariadb, keystone('22.0.1'), 'name: memcached, version: "1.6.21"']),
    now: services([mariadb, keystone('22.0.0'), 'name: memcached, version: "1.6.22"']),
    rest: true,
  },
  'nothing but a wish that is impossible, refused by the operator too': {
    before: identityCloud('22.0.1'),
    now: identityCloud('22.0.0'),
    rest: true,
  },
  'impossible wishes, and what stands on what runs goes on': {
    before: services([mariadb, keystone('22.0.0')]),
    now: services(
      [
        mariadb,
        keystone('24.0.0'),
        'name: glance, version: "25.1.0"',
        'name: memcached, version: "1.6.22"',
        'name: lonely, version: "1.0.0"',
      ],
      region,
    ),
    rest: true,
  },
  'a package without a test, and clients are the first who ask it': {
    packages: ['1.0.0', '1.1.0'].map(version => ({
      ...{ service: 'bare', version, strategy: 'bluegreen', traffic: { service: 'bare' } },
      ...{ phases: { install: ['bare.yaml'] }, files: { 'test.yaml': [] } },
    })),
    before: services(['name: bare, version: "1.0.0"']),
    now: services(['name: bare, version: "1.1.0"']),
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
  'the next change ends the soak of the one before': {
    before: identityCloud('22.0.0'),
    since: change('keystone', () => ({ soaking: true })),
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
  'contract pending, rows still to be moved': {
    before: [identityCloud('22.0.0'), identityCloud('23.0.0')],
    since: change('keystone', service => ({
      databases: service.databases.map(database => ({ ...database, rowsToMove: true })),
    })),
    now: identityCloud('23.0.0'),
  },
  'a service waits for one whose first install is running': {
    before: services([mariadb]),
    since: state => ({
      ...state,
      services: [
        ...state.services,
        { ...(state.services[0] as ObservedService), name: 'keystone', state: 'InFlow', parts: [] },
      ],
    }),
    now: imageCloud('25.1.0'),
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
  'upgrade rolling, pod by pod under one name': {
    before: identityCloud('22.0.0'),
    newPackages: storyPackages.map(words =>
      words.service === 'keystone' && words.version === '22.0.1' ? asStatefulSet(words) : words,
    ),
    now: identityCloud('22.0.1', ', strategy: rolling'),
  },
  'upgrade rolling, strategy set by the record': {
    before: identityCloud('22.0.0'),
    now: identityCloud('22.0.1', ', strategy: rolling'),
  },
  'install over a database that was there before': {
    before: [imageCloud('25.1.0'), services([mariadb, keystone('22.0.0')], ['removed: [{ name: glance }]'])],
    now: imageCloud('26.0.0'),
  },
  'a patch of the version that a release was rolled back to, software only': {
    before: [identityCloud('22.0.0'), identityCloud('23.0.0'), identityCloud('22.0.0')],
    now: identityCloud('22.0.1'),
  },
  'estimate from history': {
    before: identityCloud('22.0.0'),
    since: change('keystone', () => ({
      durations: [40, 200, 60].map(seconds => ({ flow: 'upgrade', seconds })),
    })),
    now: identityCloud('22.0.1'),
  },
  'a patch rolled back while a contract is pending, software only': {
    before: [identityCloud('22.0.0'), identityCloud('23.0.0'), identityCloud('23.0.1')],
    now: identityCloud('23.0.0'),
  },
  'whole migration of a service of several parts, as one step': {
    before: heatCloud('19.0.0'),
    now: heatCloud('20.0.0'),
  },
  'whole migration where the new version adds a part first': {
    before: heatCloud('20.0.0'),
    now: heatCloud('21.0.0'),
  },
  'whole migration while a part stays behind, refused': {
    before: heatCloud('19.0.0'),
    now: services(['name: heat, version: "20.0.0", components: [{ name: engine, version: "19.0.0" }]']),
  },
  'rollback of a whole migration, all parts restored as one': {
    before: [heatCloud('19.0.0'), heatCloud('20.0.0')],
    now: heatCloud('19.0.0'),
  },
  'rollback of a whole migration, state without contractedTo': {
    before: [heatCloud('19.0.0'), heatCloud('20.0.0')],
    since: change('heat', service => ({
      databases: service.databases.map(({ contractedTo: _gone, ...database }) => database),
    })),
    now: heatCloud('19.0.0'),
  },
  'rollback to a revision that names no schema': {
    before: [heatCloud('19.0.0'), heatCloud('20.0.0')],
    since: change('heat', service => ({
      revisions: service.revisions.map(revision => ({ ...revision, schemas: [] })),
    })),
    now: heatCloud('19.0.0'),
  },
  'rollback of several parts after contract, restored as one': {
    before: [novaCloud('30.0.0', '12.0.0'), novaCloud('31.0.0', '13.0.0')],
    since: contractedOf('nova'),
    now: novaCloud('30.0.0', '13.0.0'),
  },
  'one zone back after contract, refused': {
    before: [novaCloud('30.0.0', '12.0.0', oldZones), novaCloud('31.0.0', '13.0.0', oldZones)],
    since: contractedOf('nova'),
    now: novaCloud(
      '31.0.0',
      '13.0.0',
      ', components: [{ name: compute, hostGroups: [{ name: zone-a, version: "30.0.0" }, { name: zone-b }] }]',
    ),
  },
  'the new version has a part less, which goes last': {
    before: services(['name: cinder, version: "21.0.0"', 'name: manila, version: "15.0.0"']),
    now: services(['name: cinder, version: "22.0.0"', 'name: manila, version: "16.0.0"']),
  },
  'bluegreen of what cannot stand twice, refused': {
    before: identityCloud('22.0.0'),
    newPackages: storyPackages.map(words =>
      words.service === 'keystone' && words.version === '22.0.1' ? asStatefulSet(words) : words,
    ),
    now: identityCloud('22.0.1'),
  },
  'scaled to nothing, outage': {
    before: identityCloud('22.0.0'),
    now: identityCloud('22.0.0', ', values: { replicas: 0 }'),
  },
  'rolling with one replica, outage': {
    before: identityCloud('22.0.0', ', values: { replicas: 1 }'),
    now: identityCloud('22.0.1', ', strategy: rolling, values: { replicas: 1 }'),
  },
  'a service waits for one that is paused and not there': {
    now: services(
      [mariadb, keystone('22.0.0', ', paused: true'), glance('25.1.0'), 'name: memcached, version: "1.6.21"'],
      region,
    ),
  },
  'a paused service keeps what it stands on, and the rest goes on': {
    before: services([
      'name: mariadb, version: "10.11.0"',
      keystone('24.0.0'),
      'name: memcached, version: "1.6.21"',
    ]),
    now: services([
      'name: mariadb, version: "11.4.0"',
      keystone('24.0.0', ', values: { level: debug }, paused: true'),
      'name: memcached, version: "1.6.22"',
    ]),
  },
  'data kept from a newer version cannot be read by an older one': {
    before: [
      imageCloud('25.1.0'),
      imageCloud('26.0.0'),
      services([mariadb, keystone('22.0.0')], ['removed: [{ name: glance }]']),
    ],
    now: imageCloud('25.1.0'),
  },
  'installed again over data whose contract was pending': {
    before: [
      services(['name: mariadb, version: "10.11.0"', keystone('22.0.0')]),
      services(['name: mariadb, version: "10.11.0"', keystone('23.0.0')]),
      services(['name: mariadb, version: "10.11.0"'], ['removed: [{ name: keystone }]']),
    ],
    now: services(['name: mariadb, version: "10.11.0"', keystone('24.0.0')]),
  },
  'rolled back before contract, then on to a newer schema': {
    before: ['22.0.0', '23.0.0', '22.0.0'].map(version =>
      services(['name: mariadb, version: "10.11.0"', keystone(version)]),
    ),
    now: services(['name: mariadb, version: "10.11.0"', keystone('24.0.0', ', allowUnsupportedJump: true')]),
  },
  'data that was kept is purged later': {
    before: [imageCloud('25.1.0'), services([mariadb, keystone('22.0.0')], ['removed: [{ name: glance }]'])],
    now: services([mariadb, keystone('22.0.0')], ['removed: [{ name: glance, purgeData: true }]']),
  },
  'a component ahead of its service, refused': {
    before: novaCloud('30.0.0', '12.0.0'),
    now: novaCloud('30.0.0', '13.0.0', ', components: [{ name: compute, version: "31.0.0" }]'),
  },
  'a host group left out needs consent': {
    before: novaCloud('30.0.0', '12.0.0', oldZones),
    now: novaCloud('30.0.0', '12.0.0', ', components: [{ name: compute, hostGroups: [{ name: zone-a }] }]'),
  },
  'removal of a service that a person holds': {
    before: identityCloud('22.0.0'),
    since: change('keystone', () => ({
      hold: { by: 'person', target: `sha256:${'0'.repeat(64)}`, message: 'audit' },
    })),
    now: services([mariadb], ['removed: [{ name: keystone, purgeData: true }]']),
  },
  'contract while the record asks to go back': {
    before: [identityCloud('22.0.0'), identityCloud('23.0.0')],
    now: identityCloud('22.0.0'),
    contract: 'keystone',
  },
  'rollback to a revision whose package has changed since': {
    before: [identityCloud('22.0.0'), identityCloud('22.0.1')],
    newPackages: storyPackages.map(patched),
    now: identityCloud('22.0.0'),
  },
  'a new schema in the package of the same version': {
    before: identityCloud('22.0.0'),
    newPackages: storyPackages.map(words =>
      words.service === 'keystone' && words.version === '22.0.0'
        ? { ...words, data: (words.data ?? []).map(data => ({ ...data, head: 'zed-fixed' })) }
        : words,
    ),
    now: identityCloud('22.0.0'),
  },
  'a secret is no longer used': {
    before: identityCloud('22.0.0', ', valuesFrom: [{ kind: Secret, name: keystone-db }]'),
    since: change('keystone', () => ({
      secretDigests: [{ kind: 'Secret', name: 'keystone-db', digest: 'keyed:1' }],
    })),
    now: identityCloud('22.0.0'),
  },
  'a state that contradicts itself': {
    before: identityCloud('22.0.0'),
    since: change('keystone', () => ({ parts: [] })),
    now: identityCloud('22.0.1'),
  },
  'one machine, not as root, and two containers that take it for theirs, refused': {
    machine: notRoot,
    packages: [takesTheMachine],
    now: services(['name: heat, version: "20.0.0"']),
  },
  'one machine, not as root, and programs that share it but need rights, refused': {
    machine: notRoot,
    packages: [needsRights],
    now: services(['name: heat, version: "20.0.0"']),
  },
  'one machine, as root, and programs that need rights': {
    machine: asRoot,
    packages: [needsRights],
    now: services(['name: heat, version: "20.0.0"']),
  },
  'one machine, as root': {
    machine: asRoot,
    packages: [takesTheMachine],
    now: services(['name: heat, version: "20.0.0"']),
  },
  'one machine, and an image that is no program there, refused': {
    machine: asRoot,
    now: services([mariadb]),
  },
  'a router that Afloat was not told of, refused': {
    routers: ['nginx'],
    packages: [routedHeat],
    now: heatCloud('20.0.0'),
  },
  'a router that Afloat was not told of, and a service beside it that names none': {
    routers: [],
    rest: true,
    packages: [...storyPackages, routedHeat],
    now: services([mariadb, 'name: heat, version: "20.0.0"']),
  },
  'a router that Afloat was told of': {
    routers: ['haproxy'],
    packages: [routedHeat],
    now: heatCloud('20.0.0'),
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

  it.each(['before', 'withdrawn', 'between'] as const)(
    'stopped half way (%s), then the record changes',
    async left => {
      const hold = {
        by: 'rollback' as const,
        target: `sha256:${'0'.repeat(64)}`,
        message: 'The test failed, and so did the way back.',
      };
      const { text } = await tellStory({
        packages: storyPackages,
        before: identityCloud('22.0.0'),
        since: change('keystone', () => ({
          ...{ state: 'Irreconcilable', left, hold },
          ...(left === 'withdrawn' ? { parts: [], revisions: [] } : {}),
        })),
        now: identityCloud('22.0.1'),
      });
      await expect(text).toMatchFileSnapshot(
        `testdata/a flow stopped half way (${left}), then the record changes.golden`,
      );
    },
  );

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
