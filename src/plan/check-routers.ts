import { type Finding, finding } from '../api/finding.ts';
import type { PartTarget } from '../package/package.ts';
import type { ResolvedRecord } from '../record/record.ts';
import { placeOf } from './place.ts';
import type { ServiceWish } from './wish.ts';

/** Which parts that are to change have their clients come by a router that nobody said the place of. Each field is said once a service. */
export function* checkRouters(
  record: ResolvedRecord,
  wish: ServiceWish,
  routers: readonly string[],
): Generator<Finding> {
  const told = new Set<string>();
  for (const { target } of wish.parts) {
    const { router = 'service', field } = target ? namedBy(target) : {};
    if (router === 'service' || field === undefined || routers.includes(router)) continue;
    const { version } = target ?? {};
    const message = `the package of ${wish.service} ${version} says ${field}: ${router}, and nobody told Afloat where that is: it was started ${sayRouters(routers)}`;
    if (told.has(message)) continue;
    told.add(message);
    yield finding('RouterUnknown', message, placeOf(record, wish.wanted, 'version'));
  }
}

/** The router that a part names, and the field of its `lifecycle.yaml` that does. */
function namedBy({ lifecycle, component }: PartTarget): { router?: string; field?: string } {
  const index = lifecycle.components.findIndex(({ name }) => name === component);
  const [traffic, above] =
    index < 0 ? [lifecycle.traffic, ''] : [lifecycle.components[index]?.traffic, `components[${index}].`];
  return traffic?.router === undefined ? {} : { router: traffic.router, field: `${above}traffic.router` };
}

function sayRouters(routers: readonly string[]): string {
  return routers.length === 0
    ? 'without --routers'
    : `with --routers that name ${routers.join(' and ')} only`;
}
