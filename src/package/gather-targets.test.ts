import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gatherTargets } from './gather-targets.ts';
import { aRecord, filesOf, lifecycle, MemorySource, manifest, type Texts } from './memory-source.contract.ts';
import { packageDigest } from './package-digest.ts';

const identity = (version: string): Texts => ({
  'lifecycle.yaml': lifecycle('identity', version),
  'values.yaml': 'replicas: 2\nport: 5000\n',
  'api.yaml': manifest(
    'Deployment',
    'identity-${slice}',
    'spec: { replicas: "${values.replicas}", x: "${values.port}" }\n',
  ),
});

const compute = (version: string, more = ''): Texts => ({
  'lifecycle.yaml': lifecycle(
    'compute',
    version,
    `components:
  - { name: api, phases: { install: [api.yaml] } }
  - { name: agent, phases: { install: [agent.yaml] } }
${more}`,
  ),
  'api.yaml': manifest('Deployment', 'compute-api'),
  'agent.yaml': manifest('Deployment', 'compute-agent-${hostGroup}'),
  'db.yaml': manifest('Job', 'compute-db'),
});

const packages = {
  'identity/1.0.0': identity('1.0.0'),
  'identity/2.0.0': identity('2.0.0'),
  'compute/1.0.0': compute('1.0.0'),
  'compute/2.0.0': compute('2.0.0'),
};

const gather = (services: readonly string[], more: Record<string, Texts> = {}, rest = '') =>
  gatherTargets(aRecord(services, rest), new MemorySource({ ...packages, ...more }));

/** Each part with its version and objects, in one line. */
async function partsOf(services: readonly string[]): Promise<string[]> {
  const { targets, findings } = await gather(services);
  expect(findings).toEqual([]);
  return targets.flatMap(({ service, parts }) =>
    parts.map(({ component, hostGroup = '-', version, inventory }) =>
      [service, component, hostGroup, version, ...inventory.map(({ name }) => name)].join(' '),
    ),
  );
}

describe('gatherTargets makes', () => {
  it.each<{ name: string; services: string[]; want: string[] }>([
    {
      name: 'one part of a service without components, named after it',
      services: ['{ name: identity, version: "1.0.0" }'],
      want: ['identity identity - 1.0.0 identity-${slice}'],
    },
    {
      name: 'targets by service name and parts in the order of the package',
      services: ['{ name: identity, version: "1.0.0" }', '{ name: compute, version: "1.0.0" }'],
      want: [
        'compute api - 1.0.0 compute-api compute-db',
        'compute agent - 1.0.0 compute-agent-default',
        'identity identity - 1.0.0 identity-${slice}',
      ],
    },
    {
      name: 'a component at a version of its own, of the package of that version',
      services: ['{ name: compute, version: "2.0.0", components: [{ name: agent, version: "1.0.0" }] }'],
      want: ['compute api - 2.0.0 compute-api compute-db', 'compute agent - 1.0.0 compute-agent-default'],
    },
    {
      name: 'one part for each host group, by name, each at its own version',
      services: [
        '{ name: compute, version: "2.0.0", components: [{ name: agent, version: "1.0.0", hostGroups: [{ name: zone-b }, { name: zone-a, version: "2.0.0" }] }] }',
      ],
      want: [
        'compute api - 2.0.0 compute-api compute-db',
        'compute agent zone-a 2.0.0 compute-agent-zone-a',
        'compute agent zone-b 1.0.0 compute-agent-zone-b',
      ],
    },
  ])('$name', async ({ services, want }) => {
    expect(await partsOf(services)).toEqual(want);
  });

  it('values of the service over those of the package', async () => {
    const { targets } = await gather(['{ name: identity, version: "1.0.0", values: { replicas: 5 } }']);
    expect(targets[0]?.parts[0]?.inventory[0]).toMatchObject({ replicas: 5 });
  });

  it('each package once, a few at a time, and hands them on', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `s${index}`);
    const many = names.map(
      name => [`${name}/1.0.0`, { 'lifecycle.yaml': lifecycle(name, '1.0.0') }] as const,
    );
    const source = new MemorySource({ ...packages, ...Object.fromEntries(many) }, () => 5);
    const twice =
      '{ name: compute, version: "2.0.0", components: [{ name: api, version: "1.0.0" }, { name: agent, version: "1.0.0" }] }';
    const record = aRecord([...names.map(name => `{ name: ${name}, version: "1.0.0" }`), twice]);
    const { packages: read } = await gatherTargets(record, source);
    expect(source.reads).toHaveLength(14);
    expect(new Set(source.reads).size).toBe(14);
    expect(source.mostAtOnce).toBe(4);
    expect([...read.keys()].sort()).toEqual(
      ['compute@1.0.0', 'compute@2.0.0', ...names.map(name => `${name}@1.0.0`)].sort(),
    );
  });

  it('the same targets, to the byte, whatever order reads end and services are written in', async () => {
    const services = [
      '{ name: identity, version: "2.0.0" }',
      '{ name: compute, version: "1.0.0" }',
      '{ name: zone, version: "9" }',
    ];
    const want = JSON.stringify(await gather(services));
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(services, { minLength: services.length }),
        fc.array(fc.nat(9), { minLength: 4, maxLength: 4 }),
        async (shuffled, delays) => {
          const source = new MemorySource(packages, location => delays[location.length % delays.length] ?? 0);
          const { targets, findings } = await gatherTargets(aRecord(shuffled), source);
          const places = findings.map(({ code, message }) => ({ code, message }));
          expect(places).toEqual([{ code: 'PackageNotFound', message: 'zone/9 is not there' }]);
          expect(JSON.stringify(targets)).toBe(JSON.stringify(JSON.parse(want).targets));
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('gatherTargets keeps out of digests', () => {
  const secretive = (key: string): Record<string, Texts> => ({
    'vault/1.0.0': {
      'lifecycle.yaml': lifecycle('vault', '1.0.0', 'generated: [key]'),
      'values.yaml': `key: ${key}\ndb: { user: u, password: ${key}, hosts: [${key}] }\nopen: ${key}\n`,
      'a.yaml': manifest(
        'Secret',
        'a',
        'stringData: { k: "${values.key}", p: "x ${values.db.password}", h: "${values.db.hosts}" }\n',
      ),
      'b.yaml': manifest('Secret', 'b', 'stringData: { o: "${values.open}" }\n'),
    },
  });
  const service = (from: string) => [`{ name: vault, version: "1.0.0", valuesFrom: [${from}] }`];
  const digests = async (from: string, key: string) => {
    const { targets, findings } = await gather(service(from), secretive(key));
    expect(findings).toEqual([]);
    return targets[0]?.parts[0]?.inventory.map(({ digest }) => digest) ?? [];
  };

  it('what is generated and what a Secret holds, and nothing else', async () => {
    const from =
      '{ kind: Secret, name: s, valuesKey: p, targetPath: db.password }, { kind: Secret, name: s, valuesKey: h, targetPath: "db.hosts[0]" }';
    const [one, open] = await digests(from, 'one');
    const [two, other] = await digests(from, 'two');
    expect(one).toBe(two);
    expect(open).not.toBe(other);
  });

  it('a value that nobody gives yet, where a Secret brings a whole map', async () => {
    const files = {
      'lifecycle.yaml': lifecycle('vault', '1.0.0'),
      'a.yaml': manifest('Secret', 'a', 'data: { x: "${values.none}" }\n'),
    };
    const { findings } = await gather(service('{ kind: Secret, name: s }'), { 'vault/1.0.0': files });
    expect(findings).toEqual([]);
  });
});

describe('gatherTargets finds', () => {
  const one = '{ name: identity, version: "1.0.0" }';

  it.each<{ name: string; services: string[]; more?: Record<string, Texts>; want: object[] }>([
    {
      name: 'a package that is not there, at the version that asks for it',
      services: [one, '{ name: compute, version: "2.0.0", components: [{ name: agent, version: "3.0.0" }] }'],
      want: [
        {
          code: 'PackageNotFound',
          file: 'cloud.yaml',
          line: 8,
          field: 'spec.services[1].components[0].version',
        },
      ],
    },
    {
      name: 'a package of another version',
      services: [one],
      more: { 'identity/1.0.0': identity('1.0.1') },
      want: [{ code: 'PackageMismatch', line: 7, field: 'spec.services[0].version' }],
    },
    {
      name: 'a package of another service',
      services: ['{ name: keystone, version: "1.0.0" }'],
      more: { 'keystone/1.0.0': identity('1.0.0') },
      want: [{ code: 'PackageMismatch' }],
    },
    {
      name: 'content that is not what the record pins',
      services: [`{ name: identity, version: "1.0.0", digest: "sha256:${'0'.repeat(64)}" }`],
      want: [{ code: 'DigestMismatch', field: 'spec.services[0].digest' }],
    },
    {
      name: 'nothing where the digest is the pinned one',
      services: [
        `{ name: identity, version: "1.0.0", digest: "${packageDigest(filesOf(identity('1.0.0')))}" }`,
      ],
      want: [],
    },
    {
      name: 'a component that the package does not have',
      services: ['{ name: compute, version: "1.0.0", components: [{ name: agnet }] }'],
      want: [
        {
          code: 'ReferenceUnknown',
          line: 7,
          field: 'spec.services[0].components[0].name',
          advice: 'Did you mean `agent`?',
        },
      ],
    },
    {
      name: 'a component that the package of its own version does not have yet',
      services: ['{ name: compute, version: "2.0.0", components: [{ name: agent, version: "0.9.0" }] }'],
      more: { 'compute/0.9.0': { 'lifecycle.yaml': lifecycle('compute', '0.9.0') } },
      want: [{ code: 'ReferenceUnknown', field: 'spec.services[0].components[0].version' }],
    },
    {
      name: 'everything that is wrong inside a package, in the package',
      services: [one],
      more: { 'identity/1.0.0': { 'lifecycle.yaml': 'servce: a\n' } },
      want: [
        { code: 'FieldUnknown', file: 'identity/1.0.0/lifecycle.yaml', line: 1 },
        { code: 'FieldMissing' },
        { code: 'FieldMissing' },
      ],
    },
    {
      name: 'a missing value once, though two host groups need it',
      services: [
        '{ name: compute, version: "1.0.0", components: [{ name: agent, hostGroups: [{ name: a }, { name: b }] }] }',
      ],
      more: {
        'compute/1.0.0': {
          ...compute('1.0.0'),
          'agent.yaml': manifest('Pod', 'x-${hostGroup}', 'spec: "${values.none}"\n'),
        },
      },
      want: [{ code: 'ValueMissing', file: 'compute/1.0.0/agent.yaml', line: 4 }],
    },
    {
      name: 'an object that two services bring',
      services: [one, '{ name: twin, version: "1.0.0" }'],
      more: {
        'twin/1.0.0': {
          'lifecycle.yaml': lifecycle('twin', '1.0.0'),
          'a.yaml': manifest('Deployment', 'identity-${slice}'),
        },
      },
      want: [
        { code: 'PackageInvalid', file: 'twin/1.0.0/a.yaml', advice: expect.stringContaining('${service}') },
      ],
    },
    {
      name: 'an object that two host groups bring',
      services: [
        '{ name: compute, version: "1.0.0", components: [{ name: agent, hostGroups: [{ name: a }, { name: b }] }] }',
      ],
      more: { 'compute/1.0.0': { ...compute('1.0.0'), 'agent.yaml': manifest('Pod', 'x') } },
      want: [{ code: 'PackageInvalid', advice: expect.stringContaining('${hostGroup}') }],
    },
  ])('$name', async ({ services, more, want }) => {
    expect((await gather(services, more)).findings).toMatchObject(want);
  });

  it('whose wish each finding stands against, and for which services nothing does', async () => {
    const clash: Texts = {
      'lifecycle.yaml': lifecycle('other', '1.0.0'),
      'api.yaml': manifest('Deployment', 'identity-${slice}'),
    };
    const { refused, targets } = await gather(
      [
        '{ name: identity, version: "1.0.0" }',
        '{ name: other, version: "1.0.0" }',
        '{ name: compute, version: "1.0.0" }',
        '{ name: missing, version: "1.0.0" }',
      ],
      { 'other/1.0.0': clash },
    );
    expect(refused.map(({ service, finding: { code } }) => `${service} ${code}`).sort()).toEqual([
      'identity PackageInvalid',
      'missing PackageNotFound',
      'other PackageInvalid',
    ]);
    expect(targets.map(({ service }) => service)).toContain('compute');
  });

  it('a name or version that would lead out of the folder of packages', async () => {
    const record = aRecord([one]);
    const source = new MemorySource(packages);
    for (const evil of [{ version: '../../etc' }, { version: '..' }, { name: '/etc' }, { version: 'a/b' }]) {
      const services = record.services.map(service => ({ ...service, ...evil }));
      const { findings } = await gatherTargets({ ...record, services }, source);
      expect(findings).toMatchObject([{ code: 'PackageUnsafe' }]);
    }
    expect(source.reads).toEqual([]);
  });
});
