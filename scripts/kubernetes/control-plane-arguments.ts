import { join } from 'node:path';
import type { ControlPlaneFiles } from './control-plane-files.ts';

/** Where a control plane is, in the network. */
export interface ControlPlanePlace {
  /** Where all of it listens. */
  readonly address: string;
  /** The addresses that Services get, and the first of them, which is the API server's own. */
  readonly serviceRange: string;
  readonly firstServiceAddress: string;
  /** What stands before every program's own command line, to run it elsewhere: `nsenter` and its arguments. */
  readonly enter: readonly string[];
}

/** On this machine, for this machine only. */
export const loopbackPlace: ControlPlanePlace = {
  address: '127.0.0.1',
  serviceRange: '10.0.0.0/16',
  firstServiceAddress: '10.0.0.1',
  enter: [],
};

/** A place with its ports. */
export interface ControlPlaneAddresses {
  readonly place: ControlPlanePlace;
  readonly apiServer: number;
  readonly etcd: number;
  readonly etcdPeer: number;
}

/** etcd: one member. Without `durable` it skips fsync, which is most of its time on a slow disk. */
export function etcdArguments(folder: string, at: ControlPlaneAddresses, durable: boolean): string[] {
  const client = `http://${at.place.address}:${at.etcd}`;
  const peer = `http://${at.place.address}:${at.etcdPeer}`;
  return [
    '--name=test',
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=test=${peer}`,
    ...(durable ? [] : ['--unsafe-no-fsync']),
  ];
}

/** The API server, with client certificates, static tokens, service accounts and RBAC. */
export function apiServerArguments(files: ControlPlaneFiles, at: ControlPlaneAddresses): string[] {
  const { address, serviceRange } = at.place;
  return [
    `--etcd-servers=http://${address}:${at.etcd}`,
    `--bind-address=${address}`,
    `--advertise-address=${address}`,
    // It refuses to publish a loopback address, again and again.
    ...(at.place === loopbackPlace ? ['--endpoint-reconciler-type=none'] : []),
    `--secure-port=${at.apiServer}`,
    `--tls-cert-file=${files.servingCertificateFile}`,
    `--tls-private-key-file=${files.servingKeyFile}`,
    `--client-ca-file=${files.caFile}`,
    `--token-auth-file=${files.tokenFile}`,
    '--authorization-mode=Node,RBAC',
    `--kubelet-client-certificate=${files.kubeletClientCertificateFile}`,
    `--kubelet-client-key=${files.kubeletClientKeyFile}`,
    `--kubelet-certificate-authority=${files.caFile}`,
    '--kubelet-preferred-address-types=InternalIP', // by name, logs would wait for a name server that knows no node
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${files.serviceAccountPublicKeyFile}`,
    `--service-account-signing-key-file=${files.serviceAccountKeyFile}`,
    `--service-cluster-ip-range=${serviceRange}`,
    '--allow-privileged=true',
    '--profiling=false',
  ];
}

/** The controllers, all that need no nodes: garbage collection, namespaces, service accounts, quota, Jobs and so on. */
export function controllerManagerArguments(files: ControlPlaneFiles): string[] {
  return [
    `--kubeconfig=${files.controllerManagerKubeconfig}`,
    `--root-ca-file=${files.caFile}`,
    `--service-account-private-key-file=${files.serviceAccountKeyFile}`,
    '--use-service-account-credentials=false', // one client instead of thirty: starts in 0.6 s instead of 5
    '--leader-elect=false',
    '--controllers=*,-node-ipam-controller,-service-lb-controller,-cloud-node-lifecycle-controller',
    '--node-monitor-grace-period=10m', // a kubelet that a busy machine keeps waiting is not lost, and its pods serve
    '--secure-port=0', // we ask what it does, not how it feels
    '--profiling=false',
  ];
}
