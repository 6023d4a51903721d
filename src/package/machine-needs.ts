import { shortImageName } from '../api/image-name.ts';
import type { LifecycleImage } from '../api/package-lifecycle.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { identityOf } from './object-kinds.ts';
import type { MachineNeed, RenderedObject } from './package.ts';
import { containerRights, itemsOf, serviceRights } from './root-rights.ts';

/** What these objects need where an image is only a name for a program. */
export function machineNeeds(
  objects: readonly RenderedObject[],
  images: readonly LifecycleImage[],
): MachineNeed[] {
  const known = new Map(images.map(image => [shortImageName(image.name), image]));
  return objects.flatMap(({ object }): MachineNeed[] => {
    const { kind, name } = identityOf(object);
    const about = { object: `${kind} ${name}` };
    if (kind === 'Service') return serviceRights(object).map(right => ({ what: 'root', ...about, ...right }));
    return podSpecsIn(object['spec']).flatMap(spec =>
      containersOf(spec).flatMap(container => {
        const image = String(container['image'] ?? '');
        const whose = { ...about, container: String(container['name'] ?? ''), image };
        return needsOf(spec, container, known.get(shortImageName(image))).map(need => ({
          ...whose,
          ...need,
        }));
      }),
    );
  });
}

function needsOf(
  spec: JsonObject,
  container: JsonObject,
  image: LifecycleImage | undefined,
): Pick<MachineNeed, 'what' | 'because' | 'user' | 'group'>[] {
  if (!image) {
    const because = `nothing says which program image ${String(container['image'] ?? '')} is`;
    return [{ what: 'image', because }];
  }
  const apart = image.isolation === 'none' ? mountReasons(container) : reasons(image, spec, container);
  return [
    ...(apart.length > 0 ? [{ what: 'namespaces' as const, because: apart.join(', and it ') }] : []),
    ...containerRights(spec, container).map(right => ({ what: 'root' as const, ...right })),
  ];
}

/** Why a program that knows nothing of `$POD_IP` and `$POD_ROOT` cannot share the machine's namespaces. */
function reasons(image: LifecycleImage, spec: JsonObject, container: JsonObject): string[] {
  const ports = itemsOf(container['ports']).map(port => String(port['containerPort']));
  const mounts = itemsOf(container['volumeMounts']).map(mount => String(mount['mountPath']));
  const isShared = ports.length > 0 && spec['hostNetwork'] !== true;
  const found = [
    ...(image.root === undefined ? [] : [`has ${image.root} as its root`]),
    ...(isShared ? [`listens on port ${ports.join(', ')} on every address`] : []),
    ...(mounts.length > 0 ? [`reads ${mounts.join(', ')}`] : []),
  ];
  return found.length > 0 ? found : ['says nothing of `isolation: none`'];
}

/** Mounts that cannot be links under `$POD_ROOT`: only the kernel can lay a volume over something that is there. */
function mountReasons(container: JsonObject): string[] {
  const paths = itemsOf(container['volumeMounts']).map(mount => plainPath(String(mount['mountPath'])));
  const inner = paths.flatMap((path, index) => {
    const isTwice = paths.indexOf(path) < index;
    const outer = isTwice ? path : paths.find(other => path.startsWith(`${other}/`));
    return outer === undefined ? [] : [`mounts ${path} inside ${outer}`];
  });
  return [...(paths.includes('/') ? ['mounts a volume at /'] : []), ...inner];
}

function plainPath(path: string): string {
  const names = path.split('/').filter(name => name !== '' && name !== '.');
  return `/${names.join('/')}`;
}

/** Pod specs stand at different depths in a Pod, a Deployment, a CronJob; each has a list of containers. */
function podSpecsIn(value: Json | undefined): JsonObject[] {
  if (!isObject(value)) return [];
  if (Array.isArray(value['containers'])) return [value];
  return Object.values(value).flatMap(podSpecsIn);
}

function containersOf(spec: JsonObject): JsonObject[] {
  return [...itemsOf(spec['initContainers']), ...itemsOf(spec['containers'])];
}
