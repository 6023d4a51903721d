import { sameJson } from '../../base/json.ts';
import { ClusterError } from '../../cluster/cluster-error.ts';
import { refuseTakenPlaces } from '../free-places.ts';
import { RouteFolder } from '../route-folder.ts';
import type { Route } from '../traffic.ts';
import { headerOf, type WrittenRoute } from '../written-route.ts';
import type { RouterAddresses, SliceMeasure, WrittenRouter } from '../written-traffic.ts';
import { NginxProgram } from './nginx-program.ts';
import { blocksOf, nginxText } from './nginx-text.ts';

/** Where an nginx is, and where it listens. It runs on this machine. */
export interface NginxPlace extends RouterAddresses {
  /** The program with what names its configuration. */
  readonly command: readonly string[];
  readonly pidFile: string;
  /** A folder whose `*.conf` it includes in `http`. */
  readonly folder: string;
}

/**
 * nginx by files and reloads: its workers learn of shares only when they are replaced. Those of before end when their last request is
 * done, and a slice is out when all are gone that may know it. Who gets how many requests nginx does not tell.
 */
export class NginxRouter implements WrittenRouter {
  readonly name = 'nginx';
  readonly folder: RouteFolder;
  readonly addresses: RouterAddresses;
  readonly #program: NginxProgram;

  constructor({ command, pidFile, folder, address, previewAddresses }: NginxPlace) {
    this.folder = new RouteFolder(folder, '.conf');
    this.addresses = { address, previewAddresses };
    this.#program = new NginxProgram(command, pidFile);
  }

  async check(route: WrittenRoute | undefined): Promise<void> {
    await this.#program.workers();
    const bytes = route?.ports.find(({ mode }) => mode === 'tcp');
    if (bytes)
      throw new ClusterError('Invalid', `port ${bytes.port} is not HTTP: nginx routes requests only`);
  }

  async hasForeign(route: Route): Promise<boolean> {
    return (await this.folder.read(route)).text !== undefined;
  }

  async apply(before: WrittenRoute | undefined, after: WrittenRoute): Promise<void> {
    const { text: now } = await this.folder.read(after);
    const isUnread = !before || before.isUnread || nginxText(before) !== nginxText(after);
    if (!isUnread && !after.isGoing) {
      if (!sameJson(before, after)) await this.folder.write(after, fileText(after));
      return;
    }
    await refuseTakenPlaces(newPlaces(before, after));
    // Somebody else's mistake is found before ours could be taken for it.
    await this.#program.test();
    try {
      await this.folder.write(after, fileText({ ...after, isUnread: true }));
      await this.#program.test();
      const old = await this.#program.alive([
        ...new Set([...(after.before ?? []), ...(await this.#program.workers())]),
      ]);
      await this.folder.write(after, fileText({ ...after, isUnread: true, before: old }));
      await this.#program.reload(old);
      const { isUnread: _, ...read } = after;
      await this.folder.write(after, after.isGoing ? undefined : fileText({ ...read, before: old }));
    } catch (error) {
      await this.folder.write(after, now);
      throw error;
    }
  }

  async measure({ servers, before = [] }: WrittenRoute): Promise<(slice: string) => SliceMeasure> {
    const old = await this.#program.alive(before);
    return slice => {
      const own = servers.filter(one => one.slice === slice);
      return {
        isOut: old.length === 0,
        ready: new Set(own.map(({ name }) => name)).size,
        preview: own.length === 0 ? { isServed: false } : {},
      };
    };
  }
}

function fileText(route: WrittenRoute): string {
  return `${headerOf(route)}${nginxText(route)}`;
}

/** Where it listens from now on and did not before. */
function newPlaces(before: WrittenRoute | undefined, after: WrittenRoute): readonly string[] {
  const old = before && !before.isUnread ? blocksOf(before).map(({ listen }) => listen) : [];
  return before?.isUnread
    ? []
    : blocksOf(after).flatMap(({ listen }) => (old.includes(listen) ? [] : [listen]));
}
