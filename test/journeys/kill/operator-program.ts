/**
 * A manager for the kill journey: the world of a folder and its controllers in a process of its own. While the file of its second argument is
 * there, it kills itself the moment a move of a flow is in a state that the file does not tell yet: nobody outside would see each in time.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { startEmbeddedOperator } from '../../../src/app/embedded-operator.ts';
import { openEmbeddedWorld } from '../../../src/app/embedded-world.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { follow } from '../../../src/cluster/follow.ts';
import { type FlowObject, flowType } from '../../../src/controller/our-objects.ts';

const [stateFolder = '', killedAt = '', isolated = 'loopback'] = process.argv.slice(2);
const isolation = isolated === 'namespaces' ? isolated : 'loopback';
const stop = new AbortController();
const onTrouble = (doing: string, error: unknown) =>
  process.stderr.write(`${doing}: ${error instanceof Error ? error.stack : String(error)}\n`);
process.once('SIGTERM', () => stop.abort());
process.once('disconnect', () => stop.abort());
const { signal } = stop;
const world = await openEmbeddedWorld({ stateFolder, signal, onTrouble, isolation });
killAtEachState(world.cluster).catch(error => onTrouble('following flows', error));
const engine = await startEmbeddedOperator(world, { signal, onTrouble, stateFolder });
process.send?.({ port: world.port });
await Promise.all([engine.ended, world.ended]);
process.exit(0);

async function killAtEachState(cluster: Cluster): Promise<void> {
  for await (const told of follow(cluster, flowType, { signal })) {
    if (told.type === 'SYNCED' || told.type === 'DELETED' || !existsSync(killedAt)) continue;
    const { metadata, status } = told.object as FlowObject;
    const states = (status?.moves ?? []).map(({ id, state }) => `${metadata.name} ${id} ${state}`);
    const known = readFileSync(killedAt, 'utf8').split('\n');
    const fresh = states.filter(state => !known.includes(state));
    if (fresh.length === 0) continue;
    appendFileSync(killedAt, fresh.map(state => `${state}\n`).join(''));
    process.kill(process.pid, 'SIGKILL');
  }
}
