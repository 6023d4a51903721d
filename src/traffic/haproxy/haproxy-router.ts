import { ClusterError } from '../../cluster/cluster-error.ts';
import { refuseTakenPlaces } from '../free-places.ts';
import { sliceOfServer } from '../pod-servers.ts';
import { RouteFolder } from '../route-folder.ts';
import type { Route } from '../traffic.ts';
import { headerOf, type WrittenRoute } from '../written-route.ts';
import type { RouterAddresses, SliceMeasure, WrittenRouter } from '../written-traffic.ts';
import { backendsOf, haproxyText, isPreviewBackend, prefixOf, structureOf } from './haproxy-text.ts';
import { MasterCli } from './master-cli.ts';
import { serverCommands } from './server-commands.ts';
import { isServer, readStat, type StatRow, takesRequests } from './stat-rows.ts';

/** Where an HAProxy is, and where it listens. */
export interface HaproxyPlace extends RouterAddresses {
  /** The socket of its master, a path or `host:port`: `haproxy -W -S <socket>`. */
  readonly socket: string;
  /** A folder that it reads when it starts: `haproxy -f haproxy.cfg -f <folder>`. */
  readonly folder: string;
}

/** What one worker says of a route. */
interface Worker {
  readonly pid: number;
  readonly rows: readonly StatRow[];
}

/**
 * HAProxy by the socket of its master. Every route has a file that HAProxy reads when it starts, so that it comes back as it was;
 * servers and weights are changed while it runs, in every worker that still has connections, and only a new port or preview is a reload.
 */
export class HaproxyRouter implements WrittenRouter {
  readonly name = 'HAProxy';
  readonly folder: RouteFolder;
  readonly addresses: RouterAddresses;
  readonly #cli: MasterCli;

  constructor({ socket, folder, address, previewAddresses }: HaproxyPlace) {
    this.folder = new RouteFolder(folder, '.cfg');
    this.addresses = { address, previewAddresses };
    this.#cli = new MasterCli(socket);
  }

  async check(): Promise<void> {
    await this.#cli.processes();
  }

  async hasForeign(route: Route): Promise<boolean> {
    if ((await this.folder.read(route)).text !== undefined) return true;
    const [current] = await this.#workers(route);
    return (current?.rows.length ?? 0) > 0;
  }

  async apply(before: WrittenRoute | undefined, after: WrittenRoute): Promise<void> {
    const { text: now } = await this.folder.read(after);
    const text = `${headerOf(after)}${haproxyText(after)}`;
    const [current] = await this.#workers(after);
    const isOther = structureOf(now ?? '') !== structureOf(text);
    const isUnknown = !hasBackends(after, current);
    if (isOther || isUnknown) await refuseTakenPlaces(newBinds(before, after, current));
    if (now !== text) await this.folder.write(after, text);
    if (isOther || isUnknown) {
      try {
        await this.#cli.reload();
      } catch (error) {
        await this.folder.write(after, now);
        throw error;
      }
    }
    const workers = await this.#workers(after);
    if (!hasBackends(after, workers[0])) {
      await this.folder.write(after, now);
      throw new ClusterError(
        'Invalid',
        'HAProxy does not read the folder of its routes: start it with -f <folder>',
      );
    }
    for (const worker of workers) await this.#tell(worker, after);
    if (after.isGoing) await this.folder.write(after, undefined);
  }

  async measure(route: WrittenRoute): Promise<(slice: string) => SliceMeasure> {
    const workers = await this.#workers(route);
    const current = (workers[0]?.rows ?? []).filter(isServer);
    const all = workers.flatMap(({ rows }) => rows.filter(isServer));
    return slice => {
      const isOwn = ({ name }: StatRow) => sliceOfServer(name) === slice;
      const own = all.filter(row => isOwn(row) && !isPreviewBackend(row.proxy));
      const previewed = all.filter(row => isOwn(row) && isPreviewBackend(row.proxy));
      const sum = (rows: readonly StatRow[], of: (row: StatRow) => number) =>
        rows.reduce((total, row) => total + of(row), 0);
      const inFlight = sum(own, row => row.inFlight);
      const serving = current.filter(row => isOwn(row) && takesRequests(row));
      const isServed = serving.some(row => isPreviewBackend(row.proxy));
      return {
        counts: { requests: sum(own, row => row.requests), errors: sum(own, row => row.errors), inFlight },
        isOut:
          inFlight + sum(previewed, row => row.inFlight) === 0 && own.every(({ weight }) => weight === 0),
        ready: new Set(serving.filter(row => !isPreviewBackend(row.proxy)).map(({ name }) => name)).size,
        preview: { requests: sum(previewed, row => row.requests), isServed },
      };
    };
  }

  /** Every worker with what it says of a route, the one that takes new connections first. */
  async #workers(route: Route): Promise<readonly Worker[]> {
    const { workers } = await this.#cli.processes();
    const prefix = prefixOf(route);
    const all: Worker[] = [];
    for (const pid of workers) {
      const text = await this.#cli.worker(pid, 'show stat');
      if (text !== undefined)
        all.push({ pid, rows: readStat(text).filter(row => row.proxy.startsWith(prefix)) });
    }
    return all;
  }

  async #tell({ pid, rows }: Worker, route: WrittenRoute): Promise<void> {
    const { making, weighing, removing } = serverCommands(backendsOf(route), rows);
    for (const command of making) {
      const answer = await this.#cli.worker(pid, command);
      if (answer === undefined) return; // it is gone, and its connections with it
      if (
        /^(|New server registered\.|.*changed from .*)$/s.test(answer.trim()) ||
        /no need to change/.test(answer)
      )
        continue;
      throw new ClusterError(
        'InternalError',
        `HAProxy answers ${JSON.stringify(answer.trim())} to ${command}`,
      );
    }
    if (weighing.length > 0) {
      const answer = (await this.#cli.worker(pid, ...weighing))?.trim() ?? '';
      if (answer !== '')
        throw new ClusterError(
          'InternalError',
          `HAProxy answers ${JSON.stringify(answer)} to ${weighing.join('; ')}`,
        );
    }
    for (const command of removing) await this.#cli.worker(pid, command);
  }
}

/** Whether a worker has all backends and frontends of a route, and no others. */
function hasBackends(route: WrittenRoute, worker: Worker | undefined): boolean {
  const wanted = backendsOf(route).flatMap(({ name, frontend }) => [name, frontend]);
  const known = (worker?.rows ?? []).filter(row => !isServer(row)).map(({ proxy }) => proxy);
  return wanted.length === known.length && wanted.every(name => known.includes(name));
}

/** Where it listens from now on and did not before. */
function newBinds(
  before: WrittenRoute | undefined,
  after: WrittenRoute,
  worker: Worker | undefined,
): readonly string[] {
  const known = new Set(worker?.rows.map(({ proxy }) => proxy));
  const old = before ? backendsOf(before).filter(one => known.has(one.frontend)) : [];
  return backendsOf(after)
    .map(({ bind }) => bind)
    .filter(bind => !old.some(one => one.bind === bind));
}
