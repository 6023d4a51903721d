import { join } from 'node:path';

export const nodeName = 'node';

/** The folders and files of a run that the programs of a node are started with. All paths. */
export interface NodeFiles {
  readonly folder: string;
  readonly containerdSocket: string;
  readonly containerdFile: string;
  readonly networkFolder: string;
  readonly kubeletFile: string;
  readonly kubeletFolder: string;
  readonly proxyFile: string;
  readonly corefile: string;
  kubeconfigOf(account: keyof typeof accounts): string;
}

/** Who the programs are for the API server: users and groups that its own roles know. */
export const accounts = {
  kubelet: { commonName: `system:node:${nodeName}`, organizations: ['system:nodes'] },
  'kube-proxy': { commonName: 'system:kube-proxy', organizations: [] },
  'kube-scheduler': { commonName: 'system:kube-scheduler', organizations: [] },
  coredns: { commonName: 'coredns', organizations: ['system:masters'] }, // no role of its own without its manifests
} as const;

/** Where everything will lie. */
export function nodeFiles(folder: string): NodeFiles {
  return {
    folder,
    containerdSocket: join(folder, 'containerd/socket'),
    containerdFile: join(folder, 'containerd.toml'),
    networkFolder: join(folder, 'network'),
    kubeletFile: join(folder, 'kubelet.yaml'),
    kubeletFolder: join(folder, 'kubelet'),
    proxyFile: join(folder, 'kube-proxy.yaml'),
    corefile: join(folder, 'Corefile'),
    kubeconfigOf: account => join(folder, `${account}.kubeconfig`),
  };
}
