/**
 * A process made to be killed: opens the cluster of a folder, says what is in it, then writes with several writers at once and
 * says of each write, after it was acknowledged, what it was. A line is a word and JSON.
 */
import { writeSync } from 'node:fs';
import { isReason } from '../cluster-error.ts';
import { EmbeddedCluster } from './embedded-cluster.ts';

const [folder = ''] = process.argv.slice(2);
const writers = 8;
const namespace = 'default';
const configMaps = { apiVersion: 'v1', kind: 'ConfigMap' };

function say(word: string, value: unknown): void {
  // Synchronous, so that nothing that was said is still in this process when it is killed.
  writeSync(1, `${word} ${JSON.stringify(value)}\n`);
}

const cluster = await EmbeddedCluster.open(folder, { historyEvents: 500 });
const { items, resourceVersion } = await cluster.list(configMaps);
const there = items.map(({ metadata, data }) => [metadata.name, Number((data as { n: string }).n)]);
say('found', { version: Number(resourceVersion), objects: Object.fromEntries(there) });

const numbers = new Map<string, number>(there as [string, number][]);

/** Each writer counts in objects of its own, and all of them in one they share. */
async function write(writer: number): Promise<never> {
  for (let turn = 0; ; turn++) {
    const name = turn % 5 === 0 ? 'shared' : `w${writer}-${turn % 7}`;
    if (turn % 11 === 10) await remove(name);
    else await count(name);
  }
}

async function count(name: string): Promise<void> {
  try {
    const old = await cluster.get({ ...configMaps, namespace, name }).catch(() => undefined);
    const n =
      Math.max(numbers.get(name) ?? 0, Number((old?.['data'] as { n?: string } | undefined)?.n ?? 0)) + 1;
    const content = { ...configMaps, data: { n: String(n), text: 'x'.repeat(300) } };
    const made = old
      ? await cluster.update({ ...content, metadata: old.metadata })
      : await cluster.create({ ...content, metadata: { name, namespace } });
    numbers.set(name, n);
    say('wrote', { name, n, version: Number(made.metadata.resourceVersion) });
  } catch (error) {
    if (!isReason(error, 'Conflict', 'AlreadyExists')) throw error;
  }
}

async function remove(name: string): Promise<void> {
  if (name === 'shared') return;
  say('removing', { name });
  await cluster.delete({ ...configMaps, namespace, name }).catch(() => undefined);
  say('removed', { name });
}

await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
