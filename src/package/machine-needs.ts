import type { LifecycleImage } from '../api/package-lifecycle.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { identityOf } from './object-kinds.ts';
import type { MachineNeed, RenderedObject } from './package.ts';

/** What the containers of these objects need where an image is only a name for a program. */
export function machineNeeds(
  objects: readonly RenderedObject[],
  images: readonly LifecycleImage[],
): MachineNeed[] {
  const known = new Map(images.map(image => [image.name, image]));
  return objects.flatMap(({ object }) => {
    const { kind, name } = identityOf(object);
    return podSpecsIn(object['spec']).flatMap(spec =>
      containersOf(spec).flatMap(container => needOf(`${kind} ${name}`, spec, container, known)),
    );
  });
}

function needOf(
  object: string,
  spec: JsonObject,
  container: JsonObject,
  known: ReadonlyMap<string, LifecycleImage>,
): MachineNeed[] {
  const image = String(container['image'] ?? '');
  const about = { object, container: String(container['name'] ?? ''), image };
  const found = known.get(image);
  if (!found) return [{ what: 'image', ...about, because: `nothing says which program image ${image} is` }];
  if (found.isolation === 'none') return [];
  return [{ what: 'namespaces', ...about, because: reasons(found, spec, container).join(', and it ') }];
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

/** Pod specs stand at different depths in a Pod, a Deployment, a CronJob; each has a list of containers. */
function podSpecsIn(value: Json | undefined): JsonObject[] {
  if (!isObject(value)) return [];
  if (Array.isArray(value['containers'])) return [value];
  return Object.values(value).flatMap(podSpecsIn);
}

function containersOf(spec: JsonObject): JsonObject[] {
  return [...itemsOf(spec['initContainers']), ...itemsOf(spec['containers'])];
}

function itemsOf(list: Json | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
