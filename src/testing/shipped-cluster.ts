import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiCall, apiCall } from '../../scripts/kubernetes/api-call.ts';
import type { Programs } from '../../scripts/kubernetes/build/parts.ts';
import { type ControlPlane, startControlPlane } from '../../scripts/kubernetes/control-plane.ts';
import { kubeconfigText } from '../../scripts/kubernetes/kubeconfig.ts';
import { install } from '../app/deploy/install.ts';
import type { InstallRequest } from '../app/deploy/install-objects.ts';
import { compareText } from '../base/json.ts';
import { firstCloud } from '../cli/first-cloud.ts';
import type { Cluster, ClusterObject } from '../cluster/cluster.ts';
import { findAccess } from '../cluster/kubernetes/access/find-access.ts';
import { KubernetesCluster } from '../cluster/kubernetes/kubernetes-cluster.ts';
import { pushPackages } from '../controller/store/push-packages.ts';
import { packageDigest } from '../package/package-digest.ts';
import { accountToken, aPerson, mayDo } from './shipped-rights.ts';

/** A control plane of its own on which Afloat is installed as it is shipped: roles, policies, definitions. No Pod runs there. */
export class ShippedCluster {
  readonly plane: ControlPlane;
  /** As a member of system:masters. */
  readonly admin: KubernetesCluster;
  readonly call: ApiCall;
  readonly #folder: string;

  private constructor(plane: ControlPlane, admin: KubernetesCluster, folder: string) {
    this.plane = plane;
    this.admin = admin;
    this.call = apiCall(plane.admin);
    this.#folder = folder;
  }

  static async start(programs: Programs): Promise<ShippedCluster> {
    const plane = await startControlPlane({ programs });
    const folder = await mkdtemp(join(tmpdir(), 'afloat-shipped-'));
    const admin = KubernetesCluster.to(await findAccess({ kubeconfig: plane.kubeconfig }));
    return new ShippedCluster(plane, admin, folder);
  }

  async stop(): Promise<void> {
    await this.admin.close();
    await rm(this.#folder, { recursive: true, force: true });
    await this.plane.stop();
  }

  /** Installs, and returns when the API server serves our kinds and heeds the policies. */
  async install(request: Partial<InstallRequest> = {}): Promise<readonly string[]> {
    const whole = { image: 'afloat.test/operator:1', ...request };
    return install(this.admin, whole, this.plane.server).carryOut();
  }

  /** A kubeconfig with the token of a service account, in whose namespace it is, as inside a pod. */
  async kubeconfigOf(namespace: string, account: string): Promise<string> {
    const token = await accountToken(this.call, namespace, account);
    const { server, authority } = this.plane.admin;
    const file = join(this.#folder, `${namespace}-${account}.conf`);
    await writeFile(file, kubeconfigText({ server, authority, token }, namespace));
    return file;
  }

  /** See `mayDo`. */
  can(user: string, verb: string, resource: string, namespace?: string): Promise<boolean> {
    return mayDo(this.admin, { user, verb, resource, ...(namespace === undefined ? {} : { namespace }) });
  }

  /** See `aPerson`. */
  person(name: string, namespace: string, ...roles: readonly string[]): Promise<KubernetesCluster> {
    return aPerson(this.admin, { name, namespace }, roles);
  }

  /** See `firstRecord`. */
  firstRecord(namespace: string, spec: Readonly<Record<string, unknown>> = {}): Promise<ClusterObject> {
    return firstRecord(this.admin, namespace, spec);
  }
}

/** Brings the package of the first cloud into a namespace, and gives its record, with this spec over it. */
export async function firstRecord(
  cluster: Cluster,
  namespace: string,
  spec: Readonly<Record<string, unknown>> = {},
): Promise<ClusterObject> {
  const root = 'packages/hello/1.0.0';
  const files = firstCloud('first')
    .filter(({ path }) => path.startsWith(`${root}/`))
    .map(({ path, text }) => ({
      path: path.slice(root.length + 1),
      bytes: Buffer.from(text),
      executable: false,
    }))
    .toSorted((a, b) => compareText(a.path, b.path));
  const source = { type: 'local', location: root } as const;
  await pushPackages(cluster, namespace, [{ source, files, digest: packageDigest(files) }]);
  return {
    apiVersion: 'openstacklcm.airshipit.org/v1alpha1',
    kind: 'OpenstackDeployment',
    metadata: { name: 'first', namespace },
    spec: {
      source: { type: 'local', location: 'packages/{name}/{version}' },
      services: [{ name: 'hello', version: '1.0.0' }],
      approval: 'automatic',
      ...spec,
    },
  };
}
