import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePorts } from '../../../scripts/kubernetes/process/free-ports.ts';
import { findRoots } from '../../../scripts/openstack/roots/find-roots.ts';
import { type ServingMariadb, startServingMariadb } from '../../../scripts/openstack/serving-mariadb.ts';
import {
  type KeystoneServer,
  keystonePassword,
  layOutKeystone,
  setUpKeystone,
  startKeystone,
} from './keystone-in-root.ts';

/** A real Keystone for tests, alone: no router, no cache, one database. */
export interface ServingKeystone {
  readonly url: string;
  readonly admin: { readonly user: string; readonly password: string; readonly project: string };
  readonly mariadb: ServingMariadb;
  /** Ends it, and starts it anew with this program for uwsgi; all processes are fresh. */
  restart(program: string): Promise<void>;
  /** Ends it and removes all it had. */
  remove(): Promise<void>;
}

/** Starts Keystone of a Debian root, with MariaDB. The root stays as it is: what is written lies in a folder of its own. Needs root. */
export async function startServingKeystone(name: string): Promise<ServingKeystone> {
  const root = (await findRoots([name])).get(name) ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'afloat-keystone-'));
  const mariadb = await startServingMariadb();
  const place = { folder, database: dirname(mariadb.server.target.socket ?? '') };
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  let server: KeystoneServer | undefined;
  const remove = async () => {
    await server?.stop();
    await mariadb.remove();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await layOutKeystone(place);
    await mariadb.sql('CREATE DATABASE keystone CHARACTER SET utf8mb3');
    await setUpKeystone(root, place, url);
    server = await startKeystone(root, place, { port });
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    ...{ url, admin: { user: 'admin', password: keystonePassword, project: 'admin' }, mariadb, remove },
    async restart(program) {
      await server?.stop();
      await writeFile(join(folder, 'wsgi.py'), program);
      server = await startKeystone(root, place, { port, program: '/mnt/wsgi.py' });
    },
  };
}
