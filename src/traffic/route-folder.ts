import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ClusterError } from '../cluster/cluster-error.ts';
import type { Route } from './traffic.ts';
import { checkNames, readHeader, type WrittenRoute } from './written-route.ts';

/** What stands in the file of a route. */
export interface RouteFile {
  readonly path: string;
  /** Undefined where there is no file. */
  readonly text: string | undefined;
  /** Undefined where there is no file, or somebody else wrote it. */
  readonly route: WrittenRoute | undefined;
}

/** A folder that a router reads when it starts, with one file for each route. */
export class RouteFolder {
  readonly #folder: string;
  readonly #extension: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string, extension: string) {
    this.#folder = folder;
    this.#extension = extension;
  }

  /** Does one thing after the other: what is read is not changed by another caller before it is written. */
  async alone<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(act, act);
    this.#last = turn.catch(() => {}); // told to its own caller
    return turn;
  }

  async read(route: Route): Promise<RouteFile> {
    const path = this.#pathOf(route);
    const text = await textOf(path);
    return { path, text, route: text === undefined ? undefined : readHeader(text, path) };
  }

  /** All routes that are ours. */
  async all(): Promise<readonly WrittenRoute[]> {
    const names = await readdir(this.#folder).catch(error => {
      throw unreadable(this.#folder, error);
    });
    const files = names.filter(name => name.endsWith(this.#extension)).sort();
    const routes = await Promise.all(
      files.map(async name => {
        const path = join(this.#folder, name);
        return readHeader((await textOf(path)) ?? '', path);
      }),
    );
    return routes.filter(route => route !== undefined);
  }

  /** Puts a text in place of the file, whole or not at all; it is there after a power cut. Without a text the file is taken away. */
  async write(route: Route, text: string | undefined): Promise<void> {
    const path = this.#pathOf(route);
    try {
      if (text === undefined) await rm(path, { force: true });
      else {
        await mkdir(this.#folder, { recursive: true });
        const beside = `${path}.new`; // of another extension: routers do not read it
        const file = await open(beside, 'w', 0o644);
        try {
          await file.writeFile(text);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(beside, path);
      }
      const folder = await open(this.#folder, 'r');
      await folder.sync().finally(() => folder.close());
    } catch (error) {
      throw unreadable(path, error);
    }
  }

  #pathOf(route: Route): string {
    checkNames(route);
    return join(this.#folder, `${route.namespace}.${route.service}${this.#extension}`);
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(path, error);
  }
}

function unreadable(path: string, cause: unknown): ClusterError {
  const { code = '' } = cause as NodeJS.ErrnoException;
  return new ClusterError('ServiceUnavailable', `${path} cannot be read or written (${code})`, { cause });
}
