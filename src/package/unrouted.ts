import type { PackageLifecycle } from '../api/package-lifecycle.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import type { RenderedObject } from './package.ts';

/** The Services through which clients reach a part: those of its component, or of the package where it is the whole service. */
export function routesOf({ traffic, components }: PackageLifecycle, component: string): readonly string[] {
  const own = components.find(({ name }) => name === component);
  const routes = own ? [own.traffic] : [traffic, ...components.map(each => each.traffic)];
  return routes.flatMap(route => route?.service ?? []);
}

/**
 * Whether something runs that none of these Services leads to, such as a worker on a queue: nothing keeps it from working as soon as it is
 * there. Where a Service is not among the objects, whom it leads to cannot be told, and nothing is sure to be kept from working.
 */
export function isUnrouted(
  { object, role }: Pick<RenderedObject, 'object' | 'role'>,
  objects: readonly Pick<RenderedObject, 'object'>[],
  routes: readonly string[],
): boolean {
  const labels = role === 'workload' ? podLabels(object) : undefined;
  if (!labels) return false;
  return routes.every(route => {
    const selectors = objects.flatMap(({ object: other }) => selectorOf(other, route));
    const isReached = selectors.some(selector =>
      Object.entries(selector).every(([key, value]) => labels[key] === value),
    );
    return !isReached;
  });
}

/** The labels of the Pods that an object runs; undefined where it runs none. */
function podLabels({ kind, metadata, spec }: JsonObject): JsonObject | undefined {
  if (kind === 'Pod') return part(metadata, 'labels') ?? {};
  const template = part(spec, 'template');
  return template && kind !== 'Job' ? (part(template['metadata'], 'labels') ?? {}) : undefined;
}

function selectorOf({ kind, metadata, spec }: JsonObject, route: string): JsonObject[] {
  const isRoute = kind === 'Service' && isObject(metadata) && metadata['name'] === route;
  const selector = isRoute ? part(spec, 'selector') : undefined;
  return selector ? [selector] : [];
}

function part(value: Json | undefined, key: string): JsonObject | undefined {
  const found = isObject(value) ? value[key] : undefined;
  return isObject(found) ? found : undefined;
}
