import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EmbeddedCluster } from '../../cluster/embedded/embedded-cluster.ts';
import { ClusterPackages } from '../../controller/store/cluster-packages.ts';
import { readManifestFile } from '../../package/read-manifest-file.ts';
import { pushRecord } from './push-record.ts';

let folder: string;
let cluster: EmbeddedCluster;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'afloat-push-'));
  cluster = await EmbeddedCluster.open(join(folder, 'store'));
  mkdirSync(join(folder, 'files/keystone'), { recursive: true });
  writeFileSync(join(folder, 'files/keystone/install.yaml'), 'kind: ConfigMap\napiVersion: v1\n');
  writeFileSync(
    join(folder, 'files/phase.yaml'),
    manifest('InstallPhase', 'keystone/install.yaml', 'openstackServiceName: keystone'),
  );
  writeFileSync(
    join(folder, 'files/flow.yaml'),
    manifest('Oslc', 'nowhere', 'serviceName: keystone\n  flowKind: install'),
  );
});
afterAll(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
});

const manifest = (kind: string, location: string, spec: string) => `
apiVersion: openstacklcm.airshipit.org/v1alpha1
kind: ${kind}
metadata: { name: keystone, namespace: openstack }
spec:
  ${spec}
  source: { type: local, location: ${location} }
`;
const push = (...paths: string[]) => pushRecord(cluster, { paths, folder, stdin: '' }, {});

test('the folder of the file that a phase by hand names is brought into its namespace, where the phase finds the file', async () => {
  const pushed = await push('files/phase.yaml');
  expect(pushed).toMatchObject({ namespace: 'openstack', packages: [{ location: 'keystone' }] });
  const source = new ClusterPackages(cluster, 'openstack');
  const read = await readManifestFile(source, 'keystone/install.yaml');
  expect(read.ok && read.files.map(({ path }) => path)).toEqual(['install.yaml']);
});

test('a package that a flow by hand names and that is not there is told with its place, and nothing is written', async () => {
  const pushed = await push('files/flow.yaml', 'files/phase.yaml');
  expect('findings' in pushed && pushed.findings).toMatchObject([
    { code: 'PackageNotFound', field: 'spec.source.location', line: expect.any(Number) },
  ]);
});

test('manifests of two namespaces are refused together', async () => {
  const other = manifest('InstallPhase', 'keystone/install.yaml', 'openstackServiceName: keystone');
  writeFileSync(
    join(folder, 'files/other.yaml'),
    other.replace('namespace: openstack', 'namespace: elsewhere'),
  );
  const pushed = await push('files/phase.yaml', 'files/other.yaml');
  expect('findings' in pushed && pushed.findings).toMatchObject([{ code: 'UsageInvalid' }]);
});
