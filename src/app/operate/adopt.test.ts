import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { apiVersion } from '../../api/group.ts';
import type { Cluster, ClusterObject, StoredObject } from '../../cluster/cluster.ts';
import type { EmbeddedCluster } from '../../cluster/embedded/embedded-cluster.ts';
import { clusterForEachTest } from '../../cluster/embedded/store-folder.contract.ts';
import { Manifests } from '../../controller/flow/flow-sides.ts';
import { serviceState } from '../../controller/observe/service-state.ts';
import type { RecordObject, RevisionObject } from '../../controller/our-objects.ts';
import { planCloud } from '../../controller/record/plan-cloud.ts';
import { recordFromObject } from '../../controller/record/record-from-object.ts';
import { ClusterPackages } from '../../controller/store/cluster-packages.ts';
import { readManifests } from '../../controller/store/manifest-store.ts';
import type { ChartRenderer } from '../../package/chart/chart-renderer.ts';
import { parseRendered } from '../../package/chart/parse-rendered.ts';
import type { Adoption } from '../operator-verbs.ts';
import { adopt } from './adopt.ts';

let cluster: EmbeddedCluster;
clusterForEachTest(opened => {
  cluster = opened;
});

/** What Helm would make of a chart without variables. */
const charts: ChartRenderer = {
  render: async ({ files, location }) => {
    const texts = files
      .filter(({ path }) => path.startsWith('templates/'))
      .flatMap(({ path, bytes }) =>
        Buffer.from(bytes)
          .toString('utf8')
          .replaceAll('{{ "{{" }}', '{{')
          .split('\n---\n')
          .map(text => `---\n# Source: chart/${path}\n${text}\n`),
      );
    return { ...parseRendered(texts.join(''), location), notes: [] };
  },
};

const manifest = `---
# Source: web/templates/configmap-etc.yaml
apiVersion: v1
kind: ConfigMap
metadata: { name: web-etc, labels: { app.kubernetes.io/managed-by: Helm } }
data: { text: "echo \${HOME} {{ x }}" }
---
# Source: web/templates/service.yaml
apiVersion: v1
kind: Service
metadata: { name: web, labels: { app.kubernetes.io/managed-by: Helm } }
spec: { selector: { app: web }, ports: [{ port: 80 }] }
---
# Source: web/templates/deployment.yaml
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, labels: { app.kubernetes.io/managed-by: Helm } }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: main, image: "web:1", envFrom: [{ configMapRef: { name: web-etc } }] }]
`;

const place = () => ({ cluster: cluster as Cluster, namespace: 'default', user: 'ada', charts });
const ask = (releases: readonly string[] = []) => adopt(place(), { releases, cloud: 'north' });
const carryOut = async (adoption: Adoption) => {
  if ('findings' in adoption) throw new TypeError(JSON.stringify(adoption.findings));
  return adoption.carryOut();
};

async function installed(status = 'deployed', values: object = { password: 'secret' }): Promise<void> {
  for (const { object } of parseRendered(manifest, 'web').objects)
    await cluster.create({
      ...object,
      metadata: { ...(object['metadata'] as object), namespace: 'default' },
    } as unknown as ClusterObject);
  const chart = { metadata: { name: 'web', version: '0.1.0', appVersion: '1.0.0' } };
  const release = {
    name: 'web',
    namespace: 'default',
    version: 3,
    chart,
    config: values,
    manifest,
    hooks: [],
  };
  const packed = gzipSync(JSON.stringify(release)).toString('base64');
  await cluster.create({
    ...{ apiVersion: 'v1', kind: 'Secret', type: 'helm.sh/release.v1' },
    metadata: {
      ...{ name: 'sh.helm.release.v1.web.v3', namespace: 'default' },
      labels: { owner: 'helm', name: 'web', status, version: '3' },
    },
    data: { release: Buffer.from(packed).toString('base64') },
  } as unknown as ClusterObject);
}

const listed = async (kind: string, version = apiVersion) =>
  (await cluster.list({ apiVersion: version, kind }, { namespace: 'default' })).items;

/** Everything that was there before, to the byte. */
async function everything(): Promise<readonly StoredObject[]> {
  const kinds = [
    ['ConfigMap', 'v1'],
    ['Service', 'v1'],
    ['Secret', 'v1'],
    ['Deployment', 'apps/v1'],
  ] as const;
  return (await Promise.all(kinds.map(([kind, version]) => listed(kind, version)))).flat();
}

describe('a release that runs', () => {
  beforeEach(() => installed());

  test('is adopted without a byte of it that changes, and then there is nothing to do', async () => {
    const before = await everything();
    await carryOut(await ask());
    const after = await everything();
    for (const object of before)
      expect(after.find(({ metadata }) => metadata.uid === object.metadata.uid)).toEqual(object);
    const [record] = (await listed('OpenstackDeployment')) as unknown as RecordObject[];
    const revisions = (await listed('ServiceRevision')) as unknown as RevisionObject[];
    expect(revisions).toMatchObject([
      {
        spec: {
          ...{ service: 'web', number: 1, version: '1.0.0', flow: 'adopt', by: 'ada' },
          parts: [{ slices: [], inventory: expect.any(Array) }],
        },
      },
    ]);
    const resolved = record && recordFromObject(record).record;
    if (!resolved) throw new TypeError('the record is wrong');
    const packages = new ClusterPackages(cluster, 'default');
    const planned = await planCloud(
      {
        cluster,
        packages: { read: source => packages.read(source), charts },
        manifests: new Manifests(cluster),
      },
      resolved,
      [serviceState('web', { revisions, flows: [] })],
    );
    expect(planned).toMatchObject({ plan: { steps: [], waiting: [] } });
  });

  test('is kept as it was found and as it can stand beside another one', async () => {
    await carryOut(await ask(['web']));
    const [revision] = (await listed('ServiceRevision')) as unknown as RevisionObject[];
    const [bundle] = await readManifests(cluster, 'default', revision?.spec.parts[0]?.manifests ?? []);
    const names = (objects: readonly { readonly object: object }[] = []) =>
      objects.map(({ object }) => (object as ClusterObject).metadata.name).sort();
    expect(names(bundle?.found)).toEqual(['web', 'web', 'web-etc']);
    expect(names(bundle?.objects)).toEqual(['web', 'web-afloat0slice0mark', 'web-etc-afloat0slice0mark']);
    const config = bundle?.found?.find(({ object }) => object['kind'] === 'ConfigMap');
    expect(config?.object['data']).toEqual({ text: 'echo ${HOME} {{ x }}' });
  });

  test('has the values that a person gave it in a Secret, and not in the record', async () => {
    const adoption = await ask();
    await carryOut(adoption);
    expect(JSON.stringify(adoption)).not.toContain('secret');
    expect(JSON.stringify(await listed('OpenstackDeployment'))).not.toContain('secret"');
    expect(await listed('OpenstackDeployment')).toMatchObject([
      { spec: { services: [{ name: 'web', valuesFrom: [{ kind: 'Secret', name: 'web-values' }] }] } },
    ]);
  });

  test('is not adopted twice', async () => {
    await carryOut(await ask());
    await expect(ask()).rejects.toMatchObject({ code: 'AlreadyAdopted' });
  });

  test('is told before anything is done', async () => {
    const before = await everything();
    expect(await ask()).toMatchObject({
      asks: true,
      says: expect.arrayContaining([
        "web 1.0.0, chart web 0.1.0, Helm's revision 3: 3 objects, Deployment web",
      ]),
    });
    expect(await everything()).toEqual(before);
    expect(await listed('OpenstackDeployment')).toEqual([]);
  });
});

test.each([
  ['that is not there', 'deployed', ['glance'], 'ReleaseNotFound'],
  ['that Helm is changing', 'pending-upgrade', ['web'], 'ReleaseNotSettled'],
  ['whose last change failed', 'failed', ['web'], 'ReleaseNotSettled'],
])('a release %s is refused', async (_, status, names, code) => {
  await installed(status);
  expect(await ask(names)).toMatchObject({ findings: [{ code }] });
});

test('a namespace without releases says so', async () => {
  expect(await ask()).toMatchObject({ findings: [{ code: 'ReleaseNotFound' }] });
});
