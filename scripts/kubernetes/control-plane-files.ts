import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Authority, makeAuthority, makeSigningKey } from './certificate/authority.ts';
import type { ControlPlaneAddresses } from './control-plane-arguments.ts';
import { type Access, kubeconfigText } from './kubeconfig.ts';

/** What a control plane is started with: paths of files in its folder, and what is in some of them. */
export interface ControlPlaneFiles {
  readonly caFile: string;
  readonly servingCertificateFile: string;
  readonly servingKeyFile: string;
  readonly serviceAccountKeyFile: string;
  readonly serviceAccountPublicKeyFile: string;
  readonly tokenFile: string;
  /** With which the API server asks a kubelet for logs. */
  readonly kubeletClientCertificateFile: string;
  readonly kubeletClientKeyFile: string;
  readonly controllerManagerKubeconfig: string;
  /** Of a member of system:masters, by client certificate. */
  readonly kubeconfig: string;
  readonly admin: Access;
  /** Another way in for the same rights, for tests of tokens. */
  readonly adminToken: string;
  readonly authority: Authority;
}

/** The names the API server's certificate is good for: how we reach it, and how a pod would. */
const serverNames = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];

/** Writes keys, certificates, tokens and kubeconfigs for a control plane at that place into its folder. */
export async function writeControlPlaneFiles(
  folder: string,
  { place, apiServer }: ControlPlaneAddresses,
): Promise<ControlPlaneFiles> {
  const server = `https://${place.address}:${apiServer}`;
  const authority = await makeAuthority('afloat-test-ca');
  const names = [place.address, place.firstServiceAddress, ...serverNames];
  const serving = await authority.issue({ commonName: 'kube-apiserver', use: 'server', names });
  const serviceAccount = makeSigningKey();
  const adminToken = randomBytes(24).toString('hex');
  const accessOf = async (commonName: string): Promise<Access> => ({
    server,
    authority: authority.certificate,
    // system:masters for the controllers too: with only their own role they first wait for RBAC to be set up.
    ...(await authority.issue({ commonName, organizations: ['system:masters'], use: 'client' })),
  });
  const admin = await accessOf('admin');
  const kubeletClient = await accessOf('apiserver-kubelet-client');

  await mkdir(join(folder, 'pki'));
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  return {
    caFile: await file('pki/ca.crt', authority.certificate),
    servingCertificateFile: await file('pki/apiserver.crt', serving.certificate),
    servingKeyFile: await file('pki/apiserver.key', serving.key),
    serviceAccountKeyFile: await file('pki/service-account.key', serviceAccount.privateKey),
    serviceAccountPublicKeyFile: await file('pki/service-account.pub', serviceAccount.publicKey),
    tokenFile: await file('pki/tokens.csv', `${adminToken},token-admin,token-admin,"system:masters"\n`),
    kubeletClientCertificateFile: await file('pki/kubelet-client.crt', kubeletClient.certificate ?? ''),
    kubeletClientKeyFile: await file('pki/kubelet-client.key', kubeletClient.key ?? ''),
    controllerManagerKubeconfig: await file(
      'controller-manager.kubeconfig',
      kubeconfigText(await accessOf('system:kube-controller-manager')),
    ),
    kubeconfig: await file('kubeconfig', kubeconfigText(admin)),
    admin,
    adminToken,
    authority,
  };
}
