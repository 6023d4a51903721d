import type { PackageLifecycle } from '../../api/package-lifecycle.ts';
import type { Route } from '../../traffic/traffic.ts';
import type { PartBundle, PhaseRun, VersionSide } from '../phase-run.ts';
import type { SideObject } from './side-objects.ts';

export type TrafficRules = NonNullable<PackageLifecycle['traffic']>;

/** A way clients take to a part, and the rules of its package for it. */
export interface PartRoute {
  readonly part: PartBundle;
  readonly route: Route;
  readonly rules: TrafficRules;
}

/** The ways clients take to the parts of a side. */
export function routesOf(run: Pick<PhaseRun, 'namespace'>, side: VersionSide): readonly PartRoute[] {
  return side.parts.flatMap(part => {
    const rules = trafficOf(part);
    if (!rules) return [];
    const { service, router } = rules;
    const route = { namespace: run.namespace, service, ...(router === undefined ? {} : { router }) };
    return [{ part, rules, route }];
  });
}

/** Whether an object is the Service of a route that another router has: it says which Pods and ports, and is nowhere in the cluster. */
export function isRoutedElsewhere({ object, part }: Pick<SideObject, 'object' | 'part'>): boolean {
  const { service, router = 'service' } = trafficOf(part) ?? {};
  return object.kind === 'Service' && object.metadata.name === service && router !== 'service';
}

/** How clients reach a part, where they do. */
export function trafficOf({ lifecycle, component }: PartBundle): TrafficRules | undefined {
  const own = lifecycle.components.find(({ name }) => name === component);
  return own ? own.traffic : lifecycle.traffic;
}
