import { compareText, isObject, type JsonObject } from '../../base/json.ts';
import { identityOf } from '../object-kinds.ts';
import { isSelected, listOf, podLabelsOf, textMap } from './pod-template.ts';

/** The Service by which clients reach a chart's API, what answers there, and its port. */
export interface TrafficService {
  readonly service: JsonObject;
  readonly workload: JsonObject;
  readonly port: number;
}

/**
 * Finds it: of the Services with an address of their own whose selector takes the pods of a Deployment (or, without one, of a StatefulSet), the
 * one whose name or ports speak of an API; then the one with the shortest name.
 */
export function trafficServiceOf(objects: readonly JsonObject[]): TrafficService | undefined {
  const candidates = objects.filter(isAddress).flatMap(service => {
    const [workload] = workloadsBehind(service, objects);
    const port = mainPort(service);
    return workload && port !== undefined ? [{ service, workload, port }] : [];
  });
  return candidates.sort((a, b) => rank(a) - rank(b) || compareNames(a.service, b.service))[0];
}

/** The Deployments, then the StatefulSets, whose pods a Service selects. */
export function workloadsBehind(service: JsonObject, objects: readonly JsonObject[]): readonly JsonObject[] {
  const { kind } = identityOf(service);
  const spec = isObject(service['spec']) ? service['spec'] : {};
  const selector = kind === 'Service' ? textMap(spec['selector']) : {};
  return ['Deployment', 'StatefulSet'].flatMap(wanted =>
    objects.filter(one => one['kind'] === wanted && isSelected(selector, podLabelsOf(one))),
  );
}

function isAddress(object: JsonObject): boolean {
  const { kind, spec } = object;
  return (
    kind === 'Service' && isObject(spec) && spec['clusterIP'] !== 'None' && spec['type'] !== 'ExternalName'
  );
}

function rank({ service, workload }: TrafficService): number {
  const { name } = identityOf(service);
  const isSecond = workload['kind'] !== 'Deployment';
  const speaksOfApi = /(^|-)api($|-)/.test(name);
  const isAside = /metrics|exporter|metadata|proxy|internal|admin/.test(name);
  return (isSecond ? 4 : 0) + (isAside ? 2 : 0) + (speaksOfApi ? 0 : 1);
}

function compareNames(a: JsonObject, b: JsonObject): number {
  const [one, other] = [identityOf(a).name, identityOf(b).name];
  return one.length - other.length || compareText(one, other);
}

/** The port that is named for an API or HTTP, or else the first. */
function mainPort({ spec }: JsonObject): number | undefined {
  const ports = listOf(isObject(spec) ? spec['ports'] : undefined).filter(isObject);
  const named = ports.find(({ name }) => /api|http|public|web/.test(`${name}`)) ?? ports[0];
  const port = named?.['port'];
  return typeof port === 'number' ? port : undefined;
}
