import type { ConnectOptions } from './connect-world.ts';
import type { WorldOptions } from './operator-verbs.ts';
import { stateFolderOf } from './state-folder.ts';

/** Where the world is, as commands are told it, for who connects. */
export function connectOptions({ state, kubeconfig, context }: WorldOptions): ConnectOptions {
  return {
    ...(state === undefined ? {} : { stateFolder: stateFolderOf(state) }),
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  };
}
