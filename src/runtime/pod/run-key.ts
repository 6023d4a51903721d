import type { ContainerId } from '../container/containers.ts';

/** One run as a key. */
export function runKey({ podUid, name, attempt }: ContainerId): string {
  return `${podUid}/${name}/${attempt}`;
}
