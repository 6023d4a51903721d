import { isAbsolute, join } from 'node:path';
import type { Finding } from '../api/finding.ts';
import { group } from '../api/group.ts';
import { managedBy, managedByLabel, serviceLabel } from '../api/labels.ts';
import { digestJson } from '../base/digest.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { type PackagesByDigest, unpackPackage } from '../controller/store/unpack-package.ts';
import type { PartBundle } from '../phase/phase-run.ts';

/**
 * Says, for the embedded runtime, which programs the images of a package stand for: its files are unpacked into a folder of their own, and
 * a ConfigMap names them. Findings where its bytes are not there. What is there already is left as it is.
 */
export function imagePreparer(
  cluster: Cluster,
  packagesOf: (namespace: string) => PackagesByDigest,
  folder: string,
): (namespace: string, part: PartBundle) => Promise<readonly Finding[]> {
  return async (namespace, part) => {
    if (part.images.length === 0) return [];
    const unpacked = await unpackPackage(packagesOf(namespace), part.packageDigest, folder);
    if (!unpacked.ok) return unpacked.findings;
    const images = Object.fromEntries(
      part.images.map(({ name, command, root, env }) => [
        name,
        {
          ...(command ? { command: command.map(word => inPackage(word, unpacked.folder)) } : {}),
          ...(root === undefined ? {} : { root: isAbsolute(root) ? root : join(unpacked.folder, root) }),
          env: Object.fromEntries(
            Object.entries(env).map(([key, value]) => [key, inPackage(value, unpacked.folder)]),
          ),
        },
      ]),
    );
    // One for each version: the newest content of a version is what its images stand for.
    const hash = digestJson([part.service, part.version]).slice(7, 17);
    await cluster.patch(
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        namespace,
        name: `afloat-images-${part.service.slice(0, 30)}-${hash}`,
      },
      {
        type: 'apply',
        fieldManager: managedBy,
        force: true,
        value: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: {
            name: `afloat-images-${part.service.slice(0, 30)}-${hash}`,
            namespace,
            labels: {
              [managedByLabel]: managedBy,
              [serviceLabel]: part.service,
              [`${group}/images`]: 'true',
            },
          },
          data: { images: JSON.stringify(images) },
        },
      },
    );
    return [];
  };
}

function inPackage(text: string, folder: string): string {
  return text.replaceAll('${package}', folder);
}
