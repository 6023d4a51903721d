import { placeOf, serverWeights, type WrittenPort, type WrittenRoute } from '../written-route.ts';

/** A server as HAProxy shall have it. */
export interface WantedServer {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly weight: number;
}

/** A backend, the frontend that leads to it, and where that listens. */
export interface WantedBackend {
  readonly name: string;
  readonly frontend: string;
  readonly bind: string;
  readonly mode: WrittenPort['mode'];
  readonly servers: readonly WantedServer[];
}

/** What the names of all backends and frontends of a route begin with. */
export function prefixOf({ namespace, service }: Pick<WrittenRoute, 'namespace' | 'service'>): string {
  return `${namespace}:${service}:`;
}

/** The backends of a route: one a port, and one a port for each preview. */
export function backendsOf(route: WrittenRoute): readonly WantedBackend[] {
  if (route.isGoing) return [];
  return route.ports.flatMap(({ port, mode }) => {
    const here = route.servers.filter(one => one.port === port);
    const weights = serverWeights(route, port);
    const backend = (name: string, address: string, servers: readonly WantedServer[]) => ({
      ...{ name, frontend: `${name}:in`, bind: placeOf(address, port), mode, servers },
    });
    const previews = Object.entries(route.previews).map(([slice, { address }]) => {
      const own = here.filter(one => one.slice === slice).map(one => wanted(one, 1));
      return backend(`${prefixOf(route)}${port}:${previewWord}:${slice || '_'}`, address, own);
    });
    const all = here.map(one => wanted(one, weights.get(one.name) ?? 0));
    return [backend(`${prefixOf(route)}${port}`, route.address, all), ...previews];
  });
}

/** Whether a backend is the one of a preview, by its name. */
export function isPreviewBackend(name: string): boolean {
  return name.split(':')[3] === previewWord;
}

const previewWord = 'preview';

/** How a server is looked at beside the readiness of its Pod, which nobody tells HAProxy while no manager runs. */
export const checkWords = 'check inter 2s fastinter 500ms fall 2 rise 1';

/**
 * A route as HAProxy reads it when it starts. A connection to a server is used for one request, so that none is sent on one that the
 * server is about to close; connections of clients are kept, and in a reload closed only with an answer.
 */
export function haproxyText(route: WrittenRoute): string {
  const backends = backendsOf(route);
  const modes = [...new Set(backends.map(({ mode }) => mode))].sort();
  return [
    ...modes.map(mode => defaultsText(route, mode)),
    ...backends.map(one => backendText(route, one)),
  ].join('');
}

/** What of a text HAProxy learns only in a reload: all but the servers. */
export function structureOf(text: string): string {
  const isServer = (line: string) => line.startsWith('  server ') || line.startsWith('#');
  return text
    .split('\n')
    .filter(line => !isServer(line))
    .join('\n');
}

function wanted(one: { name: string; address: string; targetPort: number }, weight: number): WantedServer {
  return { name: one.name, address: one.address, port: one.targetPort, weight };
}

function defaultsName(route: WrittenRoute, mode: WrittenPort['mode']): string {
  return `${prefixOf(route)}${mode}`;
}

const http = [
  'option http-server-close',
  'option idle-close-on-response',
  'option forwardfor',
  'timeout http-keep-alive 75s',
];

function defaultsText(route: WrittenRoute, mode: WrittenPort['mode']): string {
  const lines = [
    `mode ${mode}`,
    'timeout connect 5s',
    'timeout client 1h',
    'timeout server 1h',
    'timeout queue 30s',
    'retries 3',
    'option redispatch 1',
    ...(mode === 'http' ? http : []),
  ];
  return `defaults ${defaultsName(route, mode)}\n${indented(lines)}`;
}

function backendText(route: WrittenRoute, { name, frontend, bind, mode, servers }: WantedBackend): string {
  const from = `from ${defaultsName(route, mode)}`;
  const lines = servers.map(
    one => `server ${one.name} ${placeOf(one.address, one.port)} weight ${one.weight} ${checkWords}`,
  );
  return [
    `frontend ${frontend} ${from}\n${indented([`bind ${bind}`, `default_backend ${name}`])}`,
    `backend ${name} ${from}\n${indented(['balance roundrobin', ...lines])}`,
  ].join('');
}

function indented(lines: readonly string[]): string {
  return lines.map(line => `  ${line}\n`).join('');
}
