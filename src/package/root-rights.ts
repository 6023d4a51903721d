import { isObject, type Json, type JsonObject } from '../base/json.ts';
import type { MachineNeed } from './package.ts';

/** Something that only root may do, and who needs no root for it. */
export type Right = Pick<MachineNeed, 'because' | 'user' | 'group'>;

/** Below it ports are root's, unless the machine's `net.ipv4.ip_unprivileged_port_start` says otherwise; a plan does not look. */
const firstFreePort = 1024;

/** What a container does that only root may do, whatever its program promises. */
export function containerRights(spec: JsonObject, container: JsonObject): Right[] {
  const user = securityOf(spec, container, 'runAsUser');
  const group = securityOf(spec, container, 'runAsGroup');
  return [
    ...(user === undefined ? [] : [{ because: `runs as user ${user}`, user }]),
    ...(group === undefined ? [] : [{ because: `runs as group ${group}`, group }]),
    ...lowPorts(itemsOf(container['ports']).map(port => port['containerPort'])),
  ];
}

/** What a Service needs that is listened on: one without an address of its own is not. */
export function serviceRights(service: JsonObject): Right[] {
  const spec = isObject(service['spec']) ? service['spec'] : {};
  if (spec['clusterIP'] === 'None' || spec['type'] === 'ExternalName') return [];
  return lowPorts(itemsOf(spec['ports']).map(port => port['port']));
}

export function itemsOf(list: Json | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function lowPorts(ports: readonly (Json | undefined)[]): Right[] {
  const low = ports.map(Number).filter(port => port > 0 && port < firstFreePort);
  return low.length === 0 ? [] : [{ because: `listens on port ${low.join(', ')}, below ${firstFreePort}` }];
}

/** What a container says counts over what its Pod says. */
function securityOf(spec: JsonObject, container: JsonObject, field: string): number | undefined {
  const said = [container, spec]
    .map(({ securityContext }) => (isObject(securityContext) ? securityContext[field] : undefined))
    .find(value => value !== undefined && value !== null);
  return said === undefined ? undefined : Number(said);
}
