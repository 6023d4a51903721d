import { dirname, join } from 'node:path';
import type { NodePrograms } from '../build/parts.ts';
import type { NodeAddresses } from './network.ts';
import { type NodeFiles, nodeName } from './node-paths.ts';
import type { NodeRoom } from './node-room.ts';

/** The port of the pages on which the programs say that they are well, on the node's address. */
export const healthPorts = { proxy: 10256, dns: 8181, scheduler: 10259 } as const;

/** containerd, with everything of it below the folder of the run. */
export function containerdText(
  files: NodeFiles,
  programs: { readonly node: NodePrograms; readonly runc: string; readonly pauseImage: string },
): string {
  const runtime = "plugins.'io.containerd.cri.v1.runtime'";
  return `version = 3
root = '${join(files.folder, 'containerd/root')}'
state = '${join(files.folder, 'containerd/state')}'
[grpc]
  address = '${files.containerdSocket}'
[plugins.'io.containerd.cri.v1.images'.pinned_images]
  sandbox = '${programs.pauseImage}'
[${runtime}]
  # Both need rights or settings of the machine that a container we may run in does not have.
  restrict_oom_score_adj = true
  disable_apparmor = true
  netns_mounts_under_state_dir = true
  [${runtime}.cni]
    bin_dirs = ['${dirname(programs.node.ptp)}']
    conf_dir = '${files.networkFolder}'
  [${runtime}.containerd.runtimes.runc]
    runtime_type = 'io.containerd.runc.v2'
    [${runtime}.containerd.runtimes.runc.options]
      BinaryName = '${programs.runc}'
      SystemdCgroup = false
`;
}

/** The network of pods: each has a line of its own to the node. */
export function networkSettings(folder: string, { podRange }: NodeAddresses): object {
  const ipam = {
    type: 'host-local',
    dataDir: join(folder, 'network-addresses'),
    ranges: [[{ subnet: podRange }]],
    routes: [{ dst: '0.0.0.0/0' }],
  };
  return { cniVersion: '1.0.0', name: 'pods', plugins: [{ type: 'ptp', ipMasq: false, ipam }] };
}

/** The kubelet. What is not said is as on any cluster. */
export function kubeletSettings(
  files: NodeFiles,
  { addresses, controlGroup }: NodeRoom,
  pki: { readonly caFile: string; readonly servingCertificateFile: string; readonly servingKeyFile: string },
): object {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: addresses.node,
    healthzBindAddress: '127.0.0.1',
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: pki.caFile },
    },
    authorization: { mode: 'Webhook' },
    tlsCertFile: pki.servingCertificateFile,
    tlsPrivateKeyFile: pki.servingKeyFile,
    clusterDomain: 'cluster.local',
    clusterDNS: [addresses.node],
    resolvConf: join(files.folder, 'room/resolv.conf'),
    containerRuntimeEndpoint: `unix://${files.containerdSocket}`,
    volumePluginDir: join(files.folder, 'volume-plugins'),
    cgroupRoot: `/${controlGroup}`,
    cgroupDriver: 'cgroupfs',
    failCgroupV1: false,
    failSwapOn: false,
    makeIPTablesUtilChains: false,
    oomScoreAdj: 0, // lower ones need a right that a container we may run in does not have
    serializeImagePulls: false,
    maxPods: 240, // as many as there are addresses
    syncFrequency: '10s', // a changed ConfigMap reaches its file in this time, instead of a minute
    // The disk and the memory are those of a machine that other things run on: nothing is to be evicted for those.
    imageGCHighThresholdPercent: 100,
    imageGCLowThresholdPercent: 99,
    evictionHard: { 'memory.available': '50Mi', 'nodefs.available': '0%', 'imagefs.available': '0%' },
  };
}

/** kube-proxy, by nftables, with nothing of the machine changed for it. */
export function proxySettings(files: NodeFiles, { node, podRange }: NodeAddresses): object {
  return {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    clientConnection: { kubeconfig: files.kubeconfigOf('kube-proxy') },
    hostnameOverride: nodeName,
    mode: 'nftables',
    clusterCIDR: podRange,
    healthzBindAddress: `${node}:${healthPorts.proxy}`,
    metricsBindAddress: '127.0.0.1:10249',
    oomScoreAdj: 0,
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
    nodePortAddresses: ['primary'],
  };
}

/** CoreDNS as a plain process on the node's address. */
export function corefileText(files: NodeFiles, { node }: NodeAddresses): string {
  return `.:53 {
  bind ${node}
  errors
  ready ${node}:${healthPorts.dns}
  kubernetes cluster.local {
    kubeconfig ${files.kubeconfigOf('coredns')}
  }
}
`;
}
