/** A manager for embedded-world.test.ts: opens the world of a folder, says so, and lets go of it when it is told to end. */
import { openEmbeddedWorld } from './embedded-world.ts';

const [stateFolder = ''] = process.argv.slice(2);
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
const world = await openEmbeddedWorld({
  stateFolder,
  signal: stop.signal,
  isolation: 'loopback',
  onTrouble: (doing, error) => process.stderr.write(`${doing}: ${error}\n`),
});
process.send?.({ port: world.port });
await world.ended;
process.exit(0);
