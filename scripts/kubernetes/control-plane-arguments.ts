import { join } from 'node:path';
import type { ControlPlaneFiles } from './control-plane-files.ts';

/** Ports on 127.0.0.1. */
export interface ControlPlanePorts {
  readonly apiServer: number;
  readonly etcd: number;
  readonly etcdPeer: number;
}

/** etcd: one member, on loopback. Without `durable` it skips fsync, which is most of its time on a slow disk. */
export function etcdArguments(folder: string, ports: ControlPlanePorts, durable: boolean): string[] {
  const client = `http://127.0.0.1:${ports.etcd}`;
  const peer = `http://127.0.0.1:${ports.etcdPeer}`;
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
export function apiServerArguments(files: ControlPlaneFiles, ports: ControlPlanePorts): string[] {
  return [
    `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none', // it refuses to publish a loopback address, again and again
    `--secure-port=${ports.apiServer}`,
    `--tls-cert-file=${files.servingCertificateFile}`,
    `--tls-private-key-file=${files.servingKeyFile}`,
    `--client-ca-file=${files.caFile}`,
    `--token-auth-file=${files.tokenFile}`,
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${files.serviceAccountPublicKeyFile}`,
    `--service-account-signing-key-file=${files.serviceAccountKeyFile}`,
    '--service-cluster-ip-range=10.0.0.0/16',
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
    '--secure-port=0', // we ask what it does, not how it feels
    '--profiling=false',
  ];
}
