import { dirname } from 'node:path/posix';
import type { RoutersFile } from '../../api/routers-file.ts';
import { digestBytes } from '../../base/digest.ts';
import { canonicalJson } from '../../base/json.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import { deployLabels, operatorName } from './deploy-names.ts';

/** Routers that an operator in a cluster can talk to. nginx is told by signals, which do not reach out of a Pod. */
export type ClusterRouters = Pick<RoutersFile, 'haproxy'>;

/** The file of routers as a ConfigMap: its text may be a placeholder of a chart. */
export const routersConfig = {
  name: `${operatorName}-routers`,
  object: (namespace: string, text: string): ClusterObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: routersConfig.name, namespace, labels: deployLabels },
    data: { [routersFileName]: text },
  }),
} as const;

const routersFileName = 'routers.yaml';
const routersFolder = '/routers';

/** The words with which the operator reads the file. */
export const routersWords: readonly string[] = [`--routers=${routersFolder}/${routersFileName}`];

/** Where the file is in the operator's Pods; and folders of their machine, under the very names that the file calls them by. */
export const routersMount = { name: 'routers', mountPath: routersFolder, readOnly: true } as const;
export const routesVolume = 'router-routes';
export const socketVolume = 'router-socket';

/** On Pods: with another file they are others. */
export const routersAnnotation = 'openstacklcm.airshipit.org/routers';

/** The file as text. JSON is YAML, and a chart writes the same. */
export function routersText(routers: ClusterRouters): string {
  return canonicalJson(routers);
}

/** What the Deployment of the operator needs for its routers. */
export function routersDeployment(routers: ClusterRouters) {
  const folders = hostFolders(routers);
  return {
    words: routersWords,
    annotations: { [routersAnnotation]: digestBytes(routersText(routers)).replace('sha256:', '') },
    volumes: [
      { name: routersMount.name, configMap: { name: routersConfig.name } },
      ...folders.map(({ name, path }) => ({ name, hostPath: { path, type: 'DirectoryOrCreate' } })),
    ],
    volumeMounts: [
      routersMount,
      // A socket is talked to also where its folder cannot be written.
      ...folders.map(({ name, path }) => ({
        ...{ name, mountPath: path },
        ...(name === socketVolume ? { readOnly: true } : {}),
      })),
    ],
  };
}

/** Whether Pods need folders of their machine, which a namespace for normal users does not let them have. */
export function needsHostFolders(routers: ClusterRouters | undefined): boolean {
  return routers?.haproxy !== undefined;
}

/** Why folders of the machine cannot be given to Pods as this file names them; undefined where they can. */
export function refusedFolder({ haproxy }: ClusterRouters): string | undefined {
  if (!haproxy) return undefined;
  if (!haproxy.folder.startsWith('/')) return `haproxy.folder: ${haproxy.folder} does not begin with /`;
  const whole = hostFolders({ haproxy }).find(({ path }) => /^\/+$/.test(path));
  return whole && 'haproxy: a Pod would get all files of its machine: use a folder of its own';
}

function hostFolders({ haproxy }: ClusterRouters): { name: string; path: string }[] {
  if (!haproxy) return [];
  const { socket, folder } = haproxy;
  const isPath = socket.startsWith('/');
  return [
    { name: routesVolume, path: folder },
    ...(isPath && dirname(socket) !== folder ? [{ name: socketVolume, path: dirname(socket) }] : []),
  ];
}
