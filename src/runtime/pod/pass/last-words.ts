import { chmod, mkdir, open, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ContainerId, Containers } from '../../container/containers.ts';
import type { Container } from '../pod-shape.ts';
import { runKey } from '../run-key.ts';

/** The most that is read of a file, and of a log, as on a kubelet. */
const mostBytes = 4096;
const mostLogBytes = 2048;
const mostLogLines = 80;

/** The file in which a run may leave its last words (`terminationMessagePath`). */
export function lastWordsFile(podFolder: string, container: string, attempt: number): string {
  return join(podFolder, 'last-words', `${container}.${attempt}`);
}

/** Makes the file, for whoever the container runs as. */
export async function makeLastWordsFile(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '', { flag: 'a' });
  await chmod(path, 0o666);
}

/** What runs said before they ended. Read once for each. */
export class LastWords {
  readonly #containers: Containers;
  readonly #read = new Map<string, string>();

  constructor(containers: Containers) {
    this.#containers = containers;
  }

  /** Of a run that has ended with this code. */
  async of(id: ContainerId, container: Container, podFolder: string, exitCode: number): Promise<string> {
    const key = runKey(id);
    const known = this.#read.get(key);
    if (known !== undefined) return known;
    const written = await beginningOf(lastWordsFile(podFolder, id.name, id.attempt));
    const fallsBack = container.terminationMessagePolicy === 'FallbackToLogsOnError' && exitCode !== 0;
    const words = written === '' && fallsBack ? await this.#endOfLog(id) : written;
    this.#read.set(key, words);
    return words;
  }

  /** The Pod is gone. */
  drop(podUid: string): void {
    for (const key of this.#read.keys()) if (key.startsWith(`${podUid}/`)) this.#read.delete(key);
  }

  async #endOfLog(id: ContainerId): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.#containers.logs(id, { tailLines: mostLogLines })) chunks.push(chunk);
    return Buffer.concat(chunks).subarray(-mostLogBytes).toString();
  }
}

async function beginningOf(path: string): Promise<string> {
  const file = await open(path).catch(() => undefined);
  if (!file) return '';
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(mostBytes), 0, mostBytes, 0);
    return buffer.subarray(0, bytesRead).toString();
  } finally {
    await file.close();
  }
}
