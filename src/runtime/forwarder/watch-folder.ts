import { type FSWatcher, watch } from 'node:fs';

/** How often files are looked at where the kernel does not tell of changes. */
const pollMilliseconds = 1000;

/**
 * Calls when something in a folder may have changed: soon after the kernel says so, and now and then in any case, for the kernel
 * may run out of watches and some file systems tell nothing. Returns what ends it.
 */
export function watchFolder(folder: string, changed: () => void): () => void {
  const poll = setInterval(changed, pollMilliseconds);
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(folder, changed);
    watcher.on('error', () => {}); // then it is looked at now and then
  } catch {
    // Looked at now and then.
  }
  return () => {
    clearInterval(poll);
    watcher?.close();
  };
}
