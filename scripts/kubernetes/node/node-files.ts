import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { NodePrograms } from '../build/parts.ts';
import type { ControlPlane } from '../control-plane.ts';
import { kubeconfigText } from '../kubeconfig.ts';
import { accounts, type NodeFiles, nodeName } from './node-paths.ts';
import type { NodeRoom } from './node-room.ts';
import {
  containerdText,
  corefileText,
  kubeletSettings,
  networkSettings,
  proxySettings,
} from './node-settings.ts';

/** Writes what containerd needs: it does not wait for an API server. */
export async function writeContainerdFiles(
  files: NodeFiles,
  room: NodeRoom,
  programs: { readonly node: NodePrograms; readonly runc: string; readonly pauseImage: string },
): Promise<void> {
  for (const name of ['containerd', 'network', 'kubelet', 'images', 'volume-plugins']) {
    await mkdir(join(files.folder, name));
  }
  await writeFile(
    join(files.networkFolder, '10-node.conflist'),
    JSON.stringify(networkSettings(files.folder, room.addresses)),
  );
  await writeFile(files.containerdFile, containerdText(files, programs));
}

/** Writes what everybody else needs: settings, certificates and kubeconfigs. */
export async function writeNodeFiles(files: NodeFiles, room: NodeRoom, plane: ControlPlane): Promise<void> {
  const { node } = room.addresses;
  const serving = await plane.authority.issue({
    commonName: `system:node:${nodeName}`,
    use: 'server',
    names: [nodeName, node],
  });
  const secret = async (name: string, text: string) => {
    await writeFile(join(files.folder, name), text, { mode: 0o600 });
    return join(files.folder, name);
  };
  const servingCertificateFile = await secret('pki/kubelet.crt', serving.certificate);
  const servingKeyFile = await secret('pki/kubelet.key', serving.key);
  for (const [name, account] of Object.entries(accounts)) {
    const pair = await plane.authority.issue({ ...account, use: 'client' });
    const access = { server: plane.server, authority: plane.authority.certificate, ...pair };
    await secret(`${name}.kubeconfig`, kubeconfigText(access));
  }
  const kubelet = kubeletSettings(files, room, {
    caFile: plane.caFile,
    servingCertificateFile,
    servingKeyFile,
  });
  await writeFile(files.kubeletFile, stringify(kubelet));
  await writeFile(files.proxyFile, stringify(proxySettings(files, room.addresses)));
  await writeFile(files.corefile, corefileText(files, room.addresses));
}
