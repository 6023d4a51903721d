import { placeOf } from '../written-route.ts';
import { checkWords, type WantedBackend, type WantedServer } from './haproxy-text.ts';
import { isServer, type StatRow } from './stat-rows.ts';

/** What one worker of HAProxy is told so that its servers are as wanted, in this order. */
export interface ServerCommands {
  /** One by one: the next counts on the one before. */
  readonly making: readonly string[];
  /** All in one: the shares change together, and nobody is without a server in between. */
  readonly weighing: readonly string[];
  /** Take servers away that no Pod is behind any more. A refusal says that requests are in flight to them. */
  readonly removing: readonly string[];
}

/** The difference between what a worker has and what is wanted. Backends that it does not have it learns of in a reload. */
export function serverCommands(backends: readonly WantedBackend[], rows: readonly StatRow[]): ServerCommands {
  const all = backends.map(backend => {
    const here = rows.filter(row => row.proxy === backend.name);
    return here.length === 0 ? none : commandsOf(backend, here.filter(isServer));
  });
  return {
    making: all.flatMap(one => one.making),
    // Who gets more first: between the two nobody is without a server.
    weighing: [...all.flatMap(one => one.raising), ...all.flatMap(one => one.lowering)],
    removing: all.flatMap(one => one.removing),
  };
}

type Commands = Record<'making' | 'raising' | 'lowering' | 'removing', readonly string[]>;

const none: Commands = { making: [], raising: [], lowering: [], removing: [] };

function commandsOf(backend: WantedBackend, rows: readonly StatRow[]): Commands {
  const rowOf = (name: string) => rows.find(row => row.name === name);
  const isWanted = (name: string) => backend.servers.some(one => one.name === name);
  const weigh = (one: WantedServer) => `set server ${backend.name}/${one.name} weight ${one.weight}`;
  const heavier = (one: WantedServer) => one.weight - (rowOf(one.name)?.weight ?? one.weight);
  return {
    making: backend.servers.flatMap(one => makeServer(`${backend.name}/${one.name}`, one, rowOf(one.name))),
    raising: backend.servers.filter(one => heavier(one) > 0).map(weigh),
    lowering: backend.servers.filter(one => heavier(one) < 0).map(weigh),
    removing: rows
      .filter(({ name }) => !isWanted(name))
      .flatMap(({ name, status }) => [
        ...(status.startsWith('MAINT') ? [] : [`disable server ${backend.name}/${name}`]),
        `del server ${backend.name}/${name}`,
      ]),
  };
}

function makeServer(server: string, wanted: WantedServer, row: StatRow | undefined): readonly string[] {
  const place = placeOf(wanted.address, wanted.port);
  const enable = [`enable health ${server}`, `enable server ${server}`];
  if (!row) return [`add server ${server} ${place} weight ${wanted.weight} ${checkWords}`, ...enable];
  return [
    ...(row.address === place ? [] : [`set server ${server} addr ${wanted.address} port ${wanted.port}`]),
    // Whoever took it out of use was us: its Pod was not ready, or it was made and its maker was cut off.
    ...(row.status.startsWith('MAINT') ? enable : []),
  ];
}
