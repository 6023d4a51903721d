import type { RecordComponent } from '../api/openstack-deployment.ts';
import type { PackageLifecycle } from '../api/package-lifecycle.ts';
import type { FieldPath } from '../api/schema/problem.ts';
import { compareText, mergeJson } from '../base/json.ts';
import type { ResolvedRecord, ResolvedService } from '../record/record.ts';
import type { ChartWish } from './chart/chart-values.ts';
import type { ServicePackage } from './package.ts';
import type { RenderContext } from './render.ts';

/** What a planning render sees. Neither a colour, nor what a Secret holds, nor what is made at random, goes in. */
export function contextOf(
  record: ResolvedRecord,
  service: ResolvedService,
  pkg: ServicePackage,
): Omit<RenderContext, 'component' | 'first'> {
  // An item of a list cannot be left open, so the whole list is: `a[0].b` leaves out `a`.
  const targets = service.valuesFrom.flatMap(({ targetPath }) => targetPath?.replace(/\[.*$/s, '') ?? []);
  return {
    cloud: record.name,
    namespace: record.namespace,
    values: mergeJson(pkg.values, service.values),
    shared: record.spec.shared,
    later: [...targets, ...pkg.lifecycle.generated].map(path => `values.${path}`),
    moreValuesLater: service.valuesFrom.some(({ targetPath }) => targetPath === undefined),
  };
}

/** What a chart is rendered with at planning. */
export function chartWishOf(
  record: ResolvedRecord,
  service: ResolvedService,
  { lifecycle }: ServicePackage,
): ChartWish {
  const targets = service.valuesFrom.flatMap(({ targetPath }) => targetPath ?? []);
  return {
    ...{ namespace: record.namespace, values: service.values, shared: record.spec.shared },
    ...{ standIns: [...targets, ...lifecycle.generated], use: 'planned' },
  };
}

/** A component or host group that a record asks for. */
export interface WishedPart {
  readonly component: string;
  readonly hostGroup?: string;
  readonly version: string;
  /** Where the record says so, below the service. */
  readonly path: FieldPath;
}

/**
 * The parts in the order they are changed: components as the package has them; host groups by name, since the order in
 * which a record lists them says nothing (stages do).
 */
export function wishedParts(service: ResolvedService, lifecycle: PackageLifecycle): WishedPart[] {
  return componentNames(lifecycle).flatMap(component => {
    const index = service.components.findIndex(({ name }) => name === component);
    const said: Partial<RecordComponent> = service.components[index] ?? {};
    const version = said.version ?? service.version;
    const path = index < 0 ? ['version'] : ['components', index, 'version'];
    const { hostGroups = [] } = said;
    if (hostGroups.length === 0) return [{ component, version, path }];
    const parts = hostGroups.map((hostGroup, place) => ({
      component,
      hostGroup: hostGroup.name,
      version: hostGroup.version ?? version,
      path: hostGroup.version === undefined ? path : ['components', index, 'hostGroups', place, 'version'],
    }));
    return parts.sort((a, b) => compareText(a.hostGroup, b.hostGroup));
  });
}

/** A service without components is one part, named after itself. */
export function componentNames(lifecycle: PackageLifecycle): string[] {
  const names = lifecycle.components.map(({ name }) => name);
  return names.length === 0 ? [lifecycle.service] : names;
}
