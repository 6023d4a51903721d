/** Programs that are built together from one Go module. A new part of the harness is one more row of `parts`. */
export interface Part {
  readonly name: string;
  readonly module: string;
  readonly version: string;
  /** Program name to the path of its package below the module; the empty path is the module itself. */
  readonly programs: Readonly<Record<string, string>>;
  /**
   * Version of the modules that this module's go.mod asks for at v0.0.0. Kubernetes publishes its staging modules
   * that way: who builds from outside must replace each of them.
   */
  readonly stagingVersion?: string;
  /** Values set at link time, by Go variable. */
  readonly linkerValues?: Readonly<Record<string, string>>;
  /** Measured on two cores with an empty build cache, download not counted. */
  readonly estimateSeconds: number;
}

const kubernetesVersion = '1.36.3';
const [major = '', minor = '', patch = ''] = kubernetesVersion.split('.');
const versionPackage = 'k8s.io/component-base/version';

/** Everything the harness can build. */
export const parts = {
  etcd: {
    name: 'etcd',
    module: 'go.etcd.io/etcd/server/v3',
    version: 'v3.6.8',
    programs: { etcd: '' },
    estimateSeconds: 30,
  },
  kubernetes: {
    name: 'kubernetes',
    module: 'k8s.io/kubernetes',
    version: `v${kubernetesVersion}`,
    programs: {
      'kube-apiserver': 'cmd/kube-apiserver',
      'kube-controller-manager': 'cmd/kube-controller-manager',
      kubectl: 'cmd/kubectl',
    },
    stagingVersion: `v0.${minor}.${patch}`,
    // Without these the server says v0.0.0-master, and clients that look at its version go astray.
    linkerValues: {
      [`${versionPackage}.gitVersion`]: `v${kubernetesVersion}`,
      [`${versionPackage}.gitMajor`]: major,
      [`${versionPackage}.gitMinor`]: minor,
    },
    estimateSeconds: 240,
  },
} as const satisfies Readonly<Record<string, Part>>;

/** What a control plane needs, quickest first. */
export const controlPlaneParts: readonly Part[] = [parts.etcd, parts.kubernetes];

/** The programs of a control plane, by name. */
export const controlPlanePrograms = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kubectl'] as const;

/** Where each program lies. */
export type Programs = Readonly<Record<(typeof controlPlanePrograms)[number], string>>;
