import { compareText, type JsonObject } from '../../base/json.ts';
import type { Cell, FilledColumn } from './column.ts';
import { age, column, nameColumn, none, text, wide } from './column-parts.ts';
import { labelsText, selectorText } from './label-text.ts';
import { fieldAt, numberAt, objectsAt, textAt, textsAt } from './read-field.ts';

function externalAddress(object: JsonObject): Cell {
  const own = textsAt(object, 'spec.externalIPs');
  const type = textAt(object, 'spec.type');
  if (type === 'ExternalName') return textAt(object, 'spec.externalName');
  if (type !== 'LoadBalancer') return own.join(',') || none;
  return [...balancers(object), ...own].join(',') || '<pending>';
}

function balancers(object: JsonObject): string[] {
  const found = objectsAt(object, 'status.loadBalancer.ingress').map(one =>
    textAt(one, 'ip', textAt(one, 'hostname')),
  );
  return [...new Set(found.filter(Boolean))].sort(compareText);
}

function servicePorts(object: JsonObject): Cell {
  const ports = objectsAt(object, 'spec.ports').map(one => {
    const node = numberAt(one, 'nodePort');
    return `${textAt(one, 'port')}${node > 0 ? `:${node}` : ''}/${textAt(one, 'protocol')}`;
  });
  return ports.join(',') || none;
}

/** The first three, and how many more there are. */
function firstThree(all: readonly string[], nothing: string): string {
  if (all.length === 0) return nothing;
  const shown = all.slice(0, 3).join(',');
  return all.length > 3 ? `${shown} + ${all.length - 3} more...` : shown;
}

function endpoints(object: JsonObject): Cell {
  const all = objectsAt(object, 'subsets').flatMap(subset => {
    const addresses = objectsAt(subset, 'addresses').map(one => textAt(one, 'ip'));
    const ports = objectsAt(subset, 'ports').map(one => textAt(one, 'port'));
    return ports.length === 0
      ? addresses
      : ports.flatMap(port => addresses.map(ip => `${ip.includes(':') ? `[${ip}]` : ip}:${port}`));
  });
  return firstThree(all, none);
}

/** The columns of what leads to Pods. */
export const networkColumns: Readonly<Record<string, readonly FilledColumn[]>> = {
  '/services': [
    nameColumn,
    column('Type', text('spec.type')),
    column(
      'Cluster-IP',
      object => textsAt(object, 'spec.clusterIPs')[0] ?? textAt(object, 'spec.clusterIP', none),
    ),
    column('External-IP', externalAddress),
    column('Port(s)', servicePorts),
    age,
    wide('Selector', object => labelsText(fieldAt(object, 'spec.selector'))),
  ],
  '/endpoints': [nameColumn, column('Endpoints', endpoints), age],
  'discovery.k8s.io/endpointslices': [
    nameColumn,
    column('AddressType', text('addressType')),
    column('Ports', object =>
      firstThree(
        objectsAt(object, 'ports').map(one => textAt(one, 'port', textAt(one, 'name', '*'))),
        '<unset>',
      ),
    ),
    column('Endpoints', object =>
      firstThree(
        objectsAt(object, 'endpoints').flatMap(one => textsAt(one, 'addresses')),
        '<unset>',
      ),
    ),
    age,
  ],
  'networking.k8s.io/networkpolicies': [
    nameColumn,
    column('Pod-Selector', object => selectorText(fieldAt(object, 'spec.podSelector'))),
    age,
  ],
  'networking.k8s.io/ingresses': [
    nameColumn,
    column('Class', text('spec.ingressClassName', none)),
    column('Hosts', object =>
      firstThree(
        objectsAt(object, 'spec.rules')
          .map(one => textAt(one, 'host'))
          .filter(Boolean),
        '*',
      ),
    ),
    column('Address', object => balancers(object).join(',')),
    column('Ports', object => (objectsAt(object, 'spec.tls').length > 0 ? '80, 443' : '80')),
    age,
  ],
};
