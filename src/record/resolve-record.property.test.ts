import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { parseYaml } from './parse-yaml.ts';
import { type Resolution, resolveRecord } from './resolve-record.ts';

const cloud = `apiVersion: openstacklcm.airshipit.org/v1alpha1
kind: OpenstackDeployment
metadata: { name: north, namespace: openstack }
spec:
  source: { type: local, location: "packages/{name}/{version}" }
  services:
    - { name: mariadb, version: "10.11.6" }
    - { name: keystone, version: "22.0.0", dependsOn: [mariadb], values: { replicas: 3, debug: false } }
    - name: nova
      version: "29.0.0"
      valuesFrom: [{ kind: Secret, name: nova, valuesKey: password, targetPath: database.password }]
      components:
        - { name: compute, hostGroups: [{ name: zone-a, version: "28.0.0" }] }
  stages: [{ name: first, services: [mariadb] }, { name: hosts, hostGroups: [zone-a] }]
  removed: [{ name: heat }]
`;

function resolve(text: string): Resolution {
  const { manifests, findings } = parseYaml('north.yaml', text);
  return resolveRecord(manifests, findings);
}

/** The same value with the keys of every object in an order that the numbers decide. */
function shuffled(value: Json, picks: readonly number[]): Json {
  if (Array.isArray(value)) return value.map((item: Json) => shuffled(item, picks));
  if (!isObject(value)) return value;
  const rest = Object.entries(value);
  const entries: [string, Json][] = [];
  for (let turn = 0; rest.length > 0; turn++) {
    const [entry] = rest.splice((picks[turn % picks.length] ?? 0) % rest.length, 1);
    if (entry) entries.push([entry[0], shuffled(entry[1], picks)]);
  }
  return Object.fromEntries(entries);
}

describe('the order of keys in YAML', () => {
  const good = parseYaml('north.yaml', cloud).manifests[0]?.object ?? {};
  const bad: JsonObject = {
    ...good,
    spec: {
      servces: [],
      shared: { password: 'hush' },
      stages: [{ name: 'a', services: ['x'] }],
      services: [{ name: 'a', version: 'latest', dependsOn: ['b'], paused: 7 }],
    },
  };
  const picks = fc.array(fc.nat(), { minLength: 1, maxLength: 8 });

  it('changes nothing in the digest', () => {
    const want = resolve(cloud).record?.digest;
    fc.assert(
      fc.property(picks, order => {
        expect(resolve(stringify(shuffled(good, order))).record?.digest).toBe(want);
      }),
    );
  });

  it('changes nothing in what is found', () => {
    const codes = (object: Json) =>
      resolve(stringify(object))
        .findings.map(({ code, field }) => `${code} ${field}`)
        .sort();
    const want = codes(bad);
    expect(want).toHaveLength(7);
    fc.assert(
      fc.property(picks, order => {
        expect(codes(shuffled(bad, order))).toEqual(want);
      }),
    );
  });
});

/** Every place of a value, as paths. */
function pathsOf(value: Json, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  const below = Array.isArray(value) ? value.entries() : isObject(value) ? Object.entries(value) : [];
  return [path, ...[...below].flatMap(([step, item]) => pathsOf(item as Json, [...path, step]))];
}

/** The value with something else at one place. */
function replaced(value: Json, [step, ...rest]: readonly (string | number)[], by: Json): Json {
  if (step === undefined) return by;
  if (Array.isArray(value)) {
    return value.map((item: Json, index) => (index === step ? replaced(item, rest, by) : item));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === step ? replaced(item, rest, by) : item]),
  );
}

describe('a record with anything anywhere', () => {
  const good = parseYaml('north.yaml', cloud).manifests[0]?.object ?? {};
  const anywhere = fc.constantFrom(...pathsOf(good));
  const anything = fc.oneof(fc.jsonValue(), fc.constant('__proto__')) as fc.Arbitrary<Json>;

  it('is the start of these tests, and right', () => expect(resolve(cloud).findings).toEqual([]));

  it('gives a record or findings, and each finding has a place', () => {
    fc.assert(
      fc.property(anywhere, anything, (path, by) => {
        const { record, findings } = resolve(JSON.stringify(replaced(good, path, by)));
        expect(record === undefined).toBe(findings.length > 0);
        for (const { code, line } of findings) {
          if (code !== 'NoRecord' && code !== 'FileEmpty') expect(line).toBe(1);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('never hands a secret on', () => {
    const values = fc.letrec<{ tree: Json }>(tie => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constant('hush-1'),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('password', 'a', 'apiToken', 'b.c', '__proto__'), tie('tree'), {
          maxKeys: 3,
        }),
      ),
    })).tree;
    fc.assert(
      fc.property(values, secret => {
        const spec = {
          shared: { password: secret },
          services: [{ name: 'a', version: '1', values: { token: secret } }],
        };
        const { record, findings } = resolve(JSON.stringify({ ...good, spec }));
        expect(record).toBeUndefined();
        expect(JSON.stringify(findings)).not.toContain('hush-1');
      }),
    );
  });
});
