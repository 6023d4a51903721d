/** A manager for the kill journey: the world of a folder and its controllers in a process of its own, so that it can be killed. */
import { startEmbeddedOperator } from '../../../src/app/embedded-operator.ts';
import { openEmbeddedWorld } from '../../../src/app/embedded-world.ts';

const [stateFolder = ''] = process.argv.slice(2);
const stop = new AbortController();
const onTrouble = (doing: string, error: unknown) =>
  process.stderr.write(`${doing}: ${error instanceof Error ? error.stack : String(error)}\n`);
process.once('SIGTERM', () => stop.abort());
process.once('disconnect', () => stop.abort());
const { signal } = stop;
const world = await openEmbeddedWorld({ stateFolder, signal, onTrouble, isolation: 'loopback' });
const engine = await startEmbeddedOperator(world, { signal, onTrouble, stateFolder });
process.send?.({ port: world.port });
await Promise.all([engine.ended, world.ended]);
process.exit(0);
