import { group } from '../../api/group.ts';
import { managedBy, managedByLabel, serviceLabel, sliceLabel } from '../../api/labels.ts';
import { digestJson, shortDigest } from '../../base/digest.ts';
import { sameJson } from '../../base/json.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import { packageSelector, type RoutePort, type RouteService, serviceType } from '../route-objects.ts';
import type { Route } from '../traffic.ts';

/** The label of a preview that names the Service it previews. */
export const previewOfLabel = `${group}/preview-of`;

const longestName = 63;

/** The name of the Service at which one slice alone answers. Two slices never share one, also where a name had to be cut or changed. */
export function previewName({ service }: Pick<Route, 'service'>, slice: string): string {
  const plain = `${service}-preview-${slice}`;
  const isName = plain.length <= longestName && /^[a-z]([a-z0-9-]*[a-z0-9])?$/.test(plain);
  if (isName) return plain;
  const digest = shortDigest(digestJson([service, slice]));
  const legible = plain.toLowerCase().replace(/[^a-z0-9-]/g, '-');
  return `${legible.slice(0, longestName - digest.length - 1).replace(/-+$/, '')}-${digest}`;
}

/** The Service that leads to one slice, whichever slice the route leads to. It has the ports of the route, and an address of its own. */
export function previewService(route: RouteService, slice: string): ClusterObject {
  const { name, namespace = '', labels } = route.metadata;
  const service = labels?.[serviceLabel];
  return {
    ...serviceType,
    metadata: {
      name: previewName({ service: name }, slice),
      namespace,
      labels: {
        [managedByLabel]: managedBy,
        [previewOfLabel]: name,
        ...(service === undefined ? {} : { [serviceLabel]: service }),
      },
    },
    spec: {
      type: 'ClusterIP',
      selector: { ...packageSelector(route), [sliceLabel]: slice },
      ports: portsOf(route),
    },
  };
}

/** Whether a Service says what the preview of this route and slice says. */
export function isPreviewOf(known: RouteService, route: RouteService, slice: string): boolean {
  const { metadata, spec } = previewService(route, slice) as RouteService;
  const { labels = {} } = known.metadata;
  return (
    Object.entries(metadata.labels ?? {}).every(([key, value]) => labels[key] === value) &&
    sameJson(known.spec.selector, spec.selector) &&
    sameJson(portsOf(known), spec.ports)
  );
}

/** Ports of nodes are the route's own, and cannot be had twice. */
function portsOf({ spec }: RouteService): RoutePort[] {
  return (spec.ports ?? []).map(({ name, port, protocol, appProtocol, targetPort }) => ({
    ...(name === undefined ? {} : { name }),
    port,
    ...(protocol === undefined ? {} : { protocol }),
    ...(appProtocol === undefined ? {} : { appProtocol }),
    ...(targetPort === undefined ? {} : { targetPort }),
  }));
}
