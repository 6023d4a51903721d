import { isIP } from 'node:net';
import { compareText } from '../base/json.ts';
import { ClusterError } from '../cluster/cluster-error.ts';
import { isReady, type RoutePod, type RoutePort, sliceOf } from './route-objects.ts';
import { isSliceName, type WrittenPort, type WrittenServer } from './written-route.ts';

/** Protocols whose bytes a router hands on unread. */
const handedOn = ['tcp', 'https', 'tls', 'kubernetes.io/wss'];

/** The ports of a Service as a router of requests has them. Throws `Invalid` for what is no TCP, and where there is none. */
export function portsOf(ports: readonly RoutePort[] | undefined): readonly WrittenPort[] {
  if (!ports || ports.length === 0) throw new ClusterError('Invalid', 'a route without ports leads nowhere');
  return ports.map(({ name, port, protocol = 'TCP', appProtocol = 'http', targetPort = port }) => {
    if (protocol !== 'TCP')
      throw new ClusterError('Invalid', `port ${port} is ${protocol}: only TCP is routed`);
    const mode = handedOn.includes(appProtocol.toLowerCase()) ? 'tcp' : 'http';
    return { ...(name === undefined ? {} : { name }), port, targetPort, mode };
  });
}

/** The Pods that are ready, at each port of a route. One that was known keeps its name. */
export function serversOf(
  ports: readonly WrittenPort[],
  pods: readonly RoutePod[],
  known: readonly WrittenServer[],
): readonly WrittenServer[] {
  const names = new Map(known.map(({ slice, address, name }) => [`${slice} ${address}`, name]));
  const ready = pods
    .filter(pod => isReady(pod) && isIP(addressOf(pod)) !== 0 && isSliceName(sliceOf(pod)))
    .sort((a, b) => compareText(a.metadata.name, b.metadata.name));
  const keyOf = (pod: RoutePod) => `${sliceOf(pod)} ${addressOf(pod)}`;
  const taken = new Set(ready.flatMap(pod => names.get(keyOf(pod)) ?? []));
  const servers = new Map<string, WrittenServer>();
  for (const pod of ready) {
    const slice = sliceOf(pod);
    const name = names.get(keyOf(pod)) ?? freeName(slice, taken);
    taken.add(name);
    for (const { port, targetPort } of ports) {
      const target = typeof targetPort === 'number' ? targetPort : namedPort(pod, targetPort);
      if (target === undefined) continue;
      servers.set(`${name}:${port}`, { slice, name, port, address: addressOf(pod), targetPort: target });
    }
  }
  return [...servers.values()];
}

/** The slice of a server, from its name. */
export function sliceOfServer(name: string): string {
  const slice = name.replace(/-\d+$/, '');
  return slice === noSlice ? '' : slice;
}

/** What names of servers begin with whose Pods are of no slice: no value of a label is like it. */
const noSlice = '_';

function freeName(slice: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const name = `${slice || noSlice}-${number}`;
    if (!taken.has(name)) return name;
  }
}

function addressOf({ status }: RoutePod): string {
  return status?.podIP ?? '';
}

function namedPort({ spec }: RoutePod, name: string): number | undefined {
  const ports = (spec?.containers ?? []).flatMap(one => one.ports ?? []);
  return ports.find(one => one.name === name)?.containerPort;
}
