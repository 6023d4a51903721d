/**
 * What `make kubernetes` shows: a Kubernetes of one node, the operator in it as it is shipped, and the example cloud, until Ctrl-C. However
 * this process ends, everything ends with it.
 */
import { once } from 'node:events';
import picocolors from 'picocolors';
import { durationText } from './build/progress.ts';
import { nextToTry } from './example/next-to-try.ts';
import { startExampleCloud } from './example/start-example-cloud.ts';
import { missingForOwnNode, startOwnNode } from './test-node.ts';

const { bold, red } = picocolors;
const began = performance.now();
const say = (line: string) => void process.stdout.write(`${line}\n`);
const stop = new AbortController();
// Not `once`: a terminal and make may both send it, and the second must not cut the end short.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

async function runUntilStopped(): Promise<void> {
  say(
    'a Kubernetes of one node starts ... about 10 s; the first time its programs are built, about 10 minutes',
  );
  const node = await startOwnNode(say);
  // Nothing else keeps this process alive while it waits.
  const keepAlive = setInterval(() => {}, 60_000);
  try {
    await startExampleCloud({ node, say, signal: stop.signal });
    say(`\nAll of it took ${durationText((performance.now() - began) / 1000)}.`);
    say(bold('\nThe cloud runs. To try next, in another terminal, in this folder and as this user:\n'));
    for (const line of nextToTry(node)) say(`  ${line}`);
    say('\nCtrl-C ends all of it, and leaves nothing behind.');
    if (!stop.signal.aborted) await once(stop.signal, 'abort');
  } finally {
    say('\nEnding the cluster ...');
    await node.stop();
    clearInterval(keepAlive);
    say('It is gone.');
  }
}

const missing = await missingForOwnNode();
if (missing !== undefined) {
  say(red(`${missing}. \`make start\` runs the same cloud on this machine without any of it.`));
  process.exitCode = 1;
} else {
  try {
    await runUntilStopped();
  } catch (error) {
    if (!stop.signal.aborted) say(red(`\n${(error as Error).message}`));
    process.exitCode = stop.signal.aborted ? 130 : 1;
  }
}
