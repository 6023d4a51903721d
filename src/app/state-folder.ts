import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where everything is kept that runs on this machine, if nobody says otherwise. */
export function defaultStateFolder(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  homeFolder: string = homedir(),
): string {
  const { AFLOAT_STATE, XDG_STATE_HOME } = environment;
  if (AFLOAT_STATE) return resolve(AFLOAT_STATE);
  return join(XDG_STATE_HOME || join(homeFolder, '.local', 'state'), 'afloat');
}

/** The folder that was named, from wherever it was named, or the usual one: mounts and processes know no current folder of ours. */
export function stateFolderOf(named: string | undefined): string {
  return named === undefined ? defaultStateFolder() : resolve(named);
}

/** The places in a state folder. */
export function stateFiles(folder: string) {
  return {
    store: join(folder, 'store'),
    runtime: join(folder, 'runtime'),
    kubeconfig: join(folder, 'kubeconfig'),
    identity: join(folder, 'server-identity.json'),
    manager: join(folder, 'manager.json'),
  } as const;
}
