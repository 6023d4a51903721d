import type { StoredObject } from '../../../cluster/cluster.ts';

interface ServicePort {
  readonly name?: string;
  readonly port: number;
  readonly protocol?: string;
}

/** What is read of a Service. */
export interface Service extends StoredObject {
  readonly spec: {
    readonly clusterIP?: string;
    readonly type?: string;
    readonly ports?: readonly ServicePort[];
    readonly externalName?: string;
  };
}

/** It has an address of its own. */
export function hasAddress({ spec }: Service): boolean {
  return spec.clusterIP !== undefined && spec.clusterIP !== '' && spec.clusterIP !== 'None';
}

/** The variables that tell a container of Services: of its namespace, and where the API is. */
export function serviceLinks(
  services: readonly Service[],
  namespace: string,
  isEnabled: boolean,
): Readonly<Record<string, string>> {
  const told = services.filter(service => {
    const isApi = service.metadata.namespace === 'default' && service.metadata.name === 'kubernetes';
    return hasAddress(service) && (isApi || (isEnabled && service.metadata.namespace === namespace));
  });
  return Object.assign({}, ...told.map(linksOf));
}

function linksOf({ metadata, spec }: Service): Readonly<Record<string, string>> {
  const { clusterIP: address = '', ports = [] } = spec;
  const name = variableName(metadata.name);
  const [first] = ports;
  const links: Record<string, string> = { [`${name}_SERVICE_HOST`]: address };
  if (!first) return links;
  links[`${name}_SERVICE_PORT`] = String(first.port);
  links[`${name}_PORT`] = urlOf(address, first);
  for (const port of ports) {
    if (port.name) links[`${name}_SERVICE_PORT_${variableName(port.name)}`] = String(port.port);
    const prefix = `${name}_PORT_${port.port}_${protocolOf(port).toUpperCase()}`;
    links[prefix] = urlOf(address, port);
    links[`${prefix}_PROTO`] = protocolOf(port);
    links[`${prefix}_PORT`] = String(port.port);
    links[`${prefix}_ADDR`] = address;
  }
  return links;
}

function protocolOf({ protocol = 'TCP' }: ServicePort): string {
  return protocol.toLowerCase();
}

function urlOf(address: string, port: ServicePort): string {
  return `${protocolOf(port)}://${address.includes(':') ? `[${address}]` : address}:${port.port}`;
}

function variableName(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}
