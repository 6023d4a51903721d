import type { PackageWords } from './memory-packages.ts';

const tasks = (database: string) => ({
  name: database,
  init: `job/${database}-db-init`,
  backup: `job/${database}-db-backup`,
  verify: `job/${database}-db-verify`,
  restore: `job/${database}-db-restore`,
  drop: `job/${database}-db-drop`,
});

const split = (database: string) => ({
  expand: `job/${database}-db-expand`,
  contract: `job/${database}-db-contract`,
});

function mariadb(version: string): PackageWords {
  return {
    service: 'mariadb',
    version,
    tier: 'infrastructure',
    strategy: 'recreate',
    traffic: { service: 'mariadb' },
  };
}

function keystone(
  version: string,
  series: string,
  head: string,
  more: Partial<PackageWords> = {},
): PackageWords {
  return {
    service: 'keystone',
    version,
    series,
    strategy: 'bluegreen',
    traffic: { service: 'keystone' },
    requires: [{ service: 'mariadb', version: '>=10.6' }],
    data: [{ ...tasks('keystone'), head, migrate: split('keystone') }],
    estimates: { upgrade: 90 },
    ...more,
  };
}

function glance(
  version: string,
  head: string,
  strategy: 'recreate' | 'bluegreen' = 'recreate',
): PackageWords {
  return {
    service: 'glance',
    version,
    strategy,
    traffic: { service: 'glance' },
    requires: [{ service: 'keystone' }, { service: 'mariadb' }],
    data: [{ ...tasks('glance'), head, migrate: { sync: 'job/glance-db-sync' } }],
    files: {
      'region.yaml': [
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'glance-region' },
          data: { region: '${shared.region}' },
        },
      ],
    },
  };
}

function nova(version: string, head: string): PackageWords {
  return {
    service: 'nova',
    version,
    strategy: 'rolling',
    requires: [{ service: 'keystone' }, { service: 'mariadb' }],
    upgrade: {
      from: '>=29',
      after: [{ service: 'placement', version: `>=${Number.parseInt(version, 10) - 18}` }],
      skew: { compute: 1 },
    },
    components: [
      { name: 'conductor', slices: 3 },
      { name: 'api', strategy: 'bluegreen', traffic: { service: 'nova-api' } },
      { name: 'compute', tier: 'dataplane', workloadImpact: 'none' },
    ],
    data: [{ ...tasks('nova'), head, migrate: split('nova') }],
  };
}

function placement(version: string): PackageWords {
  return {
    service: 'placement',
    version,
    strategy: 'bluegreen',
    traffic: { service: 'placement' },
    requires: [{ service: 'keystone' }],
  };
}

const backedUp = (
  name: string,
  head: string,
  migrate: NonNullable<PackageWords['data']>[number]['migrate'],
) => ({
  ...tasks(name),
  head,
  ...(migrate ? { migrate } : {}),
});

/** A service of several parts whose migration is not split. */
function heat(version: string, head: string, components: readonly string[]): PackageWords {
  return {
    service: 'heat',
    version,
    strategy: 'recreate',
    components: components.map(name => ({
      name,
      ...(name === 'api' ? { traffic: { service: 'heat-api' } } : {}),
    })),
    data: [backedUp('heat', head, { sync: 'job/heat-db-sync' })],
  };
}

/** A service whose newer version has one part less. */
function cinder(version: string, components: readonly string[]): PackageWords {
  return {
    service: 'cinder',
    version,
    strategy: 'rolling',
    components: components.map(name => ({ name, traffic: { service: `cinder-${name}` } })),
  };
}

/** Services like those of a real cloud, each in the versions that the stories need. */
export const storyPackages: readonly PackageWords[] = [
  mariadb('10.6.0'),
  mariadb('10.11.0'),
  mariadb('11.4.0'),
  {
    service: 'memcached',
    version: '1.6.21',
    tier: 'infrastructure',
    strategy: 'rolling',
    traffic: { service: 'memcached' },
  },
  {
    service: 'memcached',
    version: '1.6.22',
    tier: 'infrastructure',
    strategy: 'rolling',
    traffic: { service: 'memcached' },
  },
  keystone('22.0.0', 'zed', 'zed'),
  keystone('22.0.1', 'zed', 'zed'),
  keystone('23.0.0', '2023.1', 'antelope'),
  keystone('24.0.0', '2023.2', 'bobcat', { requires: [{ service: 'mariadb', version: '>=10.11 <11' }] }),
  keystone('27.0.0', '2025.1', 'epoxy'),
  glance('25.1.0', 'yoga'),
  glance('26.0.0', 'zed'),
  glance('26.0.1', 'zed-sp1', 'bluegreen'),
  nova('30.0.0', 'dalmatian'),
  nova('31.0.0', 'epoxy'),
  nova('32.0.0', 'flamingo'),
  placement('12.0.0'),
  placement('13.0.0'),
  placement('14.0.0'),
  heat('19.0.0', 'zed', ['engine', 'api']),
  heat('20.0.0', 'antelope', ['engine', 'api']),
  heat('21.0.0', 'bobcat', ['cloudwatch', 'engine', 'api']),
  cinder('21.0.0', ['api', 'backup']),
  cinder('22.0.0', ['api']),
  {
    service: 'manila',
    version: '15.0.0',
    strategy: 'bluegreen',
    traffic: { service: 'manila' },
    requires: [{ service: 'cinder' }],
  },
  {
    service: 'manila',
    version: '16.0.0',
    strategy: 'bluegreen',
    traffic: { service: 'manila' },
    requires: [{ service: 'cinder', version: '>=22' }],
    upgrade: { after: [{ service: 'cinder', version: '>=22' }] },
  },
  keystone('23.0.1', '2023.1', 'antelope'),
  { service: 'left', version: '1.0.0', requires: [{ service: 'right' }] },
  { service: 'right', version: '1.0.0', requires: [{ service: 'round' }] },
  { service: 'round', version: '1.0.0', requires: [{ service: 'left' }] },
  { service: 'lonely', version: '1.0.0', requires: [{ service: 'keystne' }] },
  { service: 'openvswitch', version: '3.1.0', tier: 'dataplane', strategy: 'rolling' },
  { service: 'openvswitch', version: '3.3.0', tier: 'dataplane', strategy: 'rolling' },
  { service: 'neutron', version: '25.0.0', strategy: 'bluegreen', requires: [{ service: 'keystone' }] },
  {
    service: 'neutron',
    version: '26.0.0',
    strategy: 'bluegreen',
    requires: [{ service: 'keystone' }],
    upgrade: { after: [{ service: 'openvswitch', version: '>=3.3' }] },
  },
];
