import { placeOf, serverWeights, type WrittenRoute } from '../written-route.ts';

/** A server block: where it listens, and the servers that answer there with their weights. */
export interface WantedBlock {
  readonly name: string;
  readonly listen: string;
  readonly servers: readonly { readonly place: string; readonly weight: number }[];
}

/** The server blocks of a route: one a port, and one a port for each preview. */
export function blocksOf(route: WrittenRoute): readonly WantedBlock[] {
  if (route.isGoing) return [];
  return route.ports.flatMap(({ port }) => {
    const name = `${route.namespace}.${route.service}.${port}`;
    const here = route.servers.filter(one => one.port === port);
    const weights = serverWeights(route, port);
    const served = here.flatMap(one => {
      const weight = weights.get(one.name) ?? 0;
      return weight === 0 ? [] : [{ place: placeOf(one.address, one.targetPort), weight }];
    });
    const previews = Object.entries(route.previews).map(([slice, { address }]) => ({
      name: `${name}.preview.${slice || '_'}`,
      listen: placeOf(address, port),
      servers: here
        .filter(one => one.slice === slice)
        .map(one => ({ place: placeOf(one.address, one.targetPort), weight: 1 })),
    }));
    return [{ name, listen: placeOf(route.address, port), servers: served }, ...previews];
  });
}

/** A route as nginx reads it, inside `http`. Who has no share is not in it. */
export function nginxText(route: WrittenRoute): string {
  return blocksOf(route).map(blockText).join('');
}

/**
 * Connections of clients are not kept: a worker that ends in a reload closes those that are idle, and a request that is on its way then is
 * lost. Nothing is kept back: bodies of any size and length go through as they come.
 */
const settings = [
  'keepalive_timeout 0;',
  'client_max_body_size 0;',
  'client_body_timeout 1h;',
  'send_timeout 1h;',
  'proxy_http_version 1.1;',
  'proxy_request_buffering off;',
  'proxy_buffering off;',
  'proxy_connect_timeout 5s;',
  'proxy_send_timeout 1h;',
  'proxy_read_timeout 1h;',
  'proxy_set_header Host $http_host;',
  'proxy_set_header Connection close;',
  'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
  'proxy_set_header X-Forwarded-Proto $scheme;',
];

function blockText({ name, listen, servers }: WantedBlock): string {
  const upstream = [
    // Shared by all workers: each by itself would take turns of its own.
    `zone ${name} 128k;`,
    ...servers.map(({ place, weight }) => `server ${place} weight=${weight};`),
  ];
  const way = servers.length === 0 ? 'return 503;' : `proxy_pass http://${name};`;
  return [
    ...(servers.length === 0 ? [] : [`upstream ${name} {`, ...upstream.map(line => `  ${line}`), '}']),
    'server {',
    `  listen ${listen};`,
    ...settings.map(line => `  ${line}`),
    `  location / { ${way} }`,
    '}',
    '',
  ].join('\n');
}
