import type { PackageLifecycle } from '../../api/package-lifecycle.ts';
import type { Route } from '../../traffic/traffic.ts';
import type { PartBundle, PhaseRun, VersionSide } from '../phase-run.ts';

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
    return rules ? [{ part, rules, route: { namespace: run.namespace, service: rules.service } }] : [];
  });
}

/** How clients reach a part, where they do. */
export function trafficOf({ lifecycle, component }: PartBundle): TrafficRules | undefined {
  const own = lifecycle.components.find(({ name }) => name === component);
  return own ? own.traffic : lifecycle.traffic;
}
