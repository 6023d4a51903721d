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
const stagingVersion = `v0.${minor}.${patch}`;
const versionPackage = 'k8s.io/component-base/version';
// Without these the server says v0.0.0-master, and clients that look at its version go astray.
const linkerValues = {
  [`${versionPackage}.gitVersion`]: `v${kubernetesVersion}`,
  [`${versionPackage}.gitMajor`]: major,
  [`${versionPackage}.gitMinor`]: minor,
};

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
    stagingVersion,
    linkerValues,
    estimateSeconds: 240,
  },
  'kubernetes-node': {
    name: 'kubernetes-node',
    module: 'k8s.io/kubernetes',
    version: `v${kubernetesVersion}`,
    programs: {
      'kube-scheduler': 'cmd/kube-scheduler',
      kubelet: 'cmd/kubelet',
      'kube-proxy': 'cmd/kube-proxy',
    },
    stagingVersion,
    linkerValues,
    estimateSeconds: 120, // after the control plane: most packages are the same
  },
  containerd: {
    name: 'containerd',
    module: 'github.com/containerd/containerd/v2',
    version: 'v2.3.7',
    programs: {
      containerd: 'cmd/containerd',
      'containerd-shim-runc-v2': 'cmd/containerd-shim-runc-v2',
      ctr: 'cmd/ctr',
    },
    estimateSeconds: 50,
  },
  cni: {
    name: 'cni',
    module: 'github.com/containernetworking/plugins',
    version: 'v1.9.1',
    programs: {
      ptp: 'plugins/main/ptp', // routed, not bridged: every packet passes the node's own rules, without br_netfilter
      loopback: 'plugins/main/loopback',
      'host-local': 'plugins/ipam/host-local',
    },
    estimateSeconds: 10,
  },
  coredns: {
    name: 'coredns',
    module: 'github.com/coredns/coredns',
    version: 'v1.15.0',
    programs: { coredns: '' },
    estimateSeconds: 120,
  },
  helm: {
    name: 'helm',
    module: 'helm.sh/helm/v3',
    version: 'v3.22.0',
    programs: { helm: 'cmd/helm' },
    estimateSeconds: 70,
  },
  argo: {
    name: 'argo',
    module: 'github.com/argoproj/argo-workflows/v3',
    version: 'v3.7.3',
    // The executor beside it does not compile as the module is published: workflows that run Pods end in failure.
    programs: { 'workflow-controller': 'cmd/workflow-controller' },
    estimateSeconds: 200,
  },
} as const satisfies Readonly<Record<string, Part>>;

/** What a control plane needs, quickest first. */
export const controlPlaneParts: readonly Part[] = [parts.etcd, parts.kubernetes];

/** What a whole node needs beside a control plane, quickest first. */
export const nodeParts: readonly Part[] = [
  parts.cni,
  parts.containerd,
  parts['kubernetes-node'],
  parts.coredns,
];

/** The programs of a control plane, by name. */
export const controlPlanePrograms = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kubectl'] as const;

/** Where each program lies. */
export type Programs = Readonly<Record<(typeof controlPlanePrograms)[number], string>>;

/** The programs of a node, by name. containerd finds its shim and the network plugins in the folders of `containerd` and `ptp`. */
export const nodePrograms = [
  'kube-scheduler',
  'kubelet',
  'kube-proxy',
  'containerd',
  'containerd-shim-runc-v2',
  'ctr',
  'ptp',
  'loopback',
  'host-local',
  'coredns',
] as const;

export type NodePrograms = Readonly<Record<(typeof nodePrograms)[number], string>>;
