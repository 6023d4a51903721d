import { componentLabel, managedBy, managedByLabel, serviceLabel } from '../../api/labels.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { parseRendered } from '../../package/chart/parse-rendered.ts';
import { placeByRule } from '../../package/chart/place-by-rule.ts';
import { identityOf, isClusterKind } from '../../package/object-kinds.ts';
import type { HelmRelease } from '../../package/release/read-release.ts';
import type { BundledObject } from '../store/bundle.ts';

interface Part {
  readonly service: string;
  readonly component: string;
}

/** The objects of a release as they run, under their own names, each with its place in the life of the service. */
export function foundObjects(release: HelmRelease, part: Part): readonly BundledObject[] {
  const hooks = release.hooks.map(({ path, manifest }) => `---\n# Source: ${path}\n${manifest}\n`);
  const { objects } = parseRendered(`${release.manifest}\n${hooks.join('')}`, release.name);
  return placeByRule(objects).placed.map(({ chartObject: { object, file }, role, phases }) => ({
    ...{ role, phases, file },
    object: asOurs(object, release.namespace, part),
  }));
}

/** What is written when it is ever written again: then it is ours. */
function asOurs(object: JsonObject, namespace: string, { service, component }: Part): JsonObject {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  const labels = isObject(metadata['labels']) ? metadata['labels'] : {};
  const { kind, namespace: own } = identityOf(object);
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(isClusterKind(kind) || own !== '' ? {} : { namespace }),
      labels: {
        ...labels,
        ...{ [managedByLabel]: managedBy, [serviceLabel]: service, [componentLabel]: component },
      },
    },
  };
}
