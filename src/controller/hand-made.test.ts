import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedCluster } from '../cluster/embedded/embedded-cluster.ts';
import { broughtFlowContract } from './flow/brought-flow.contract.ts';
import { handMadeFlowContract } from './flow/hand-made-flow.contract.ts';
import type { HandMadeWorld } from './hand-made-world.contract.ts';
import { phaseAloneContract } from './phase/phase-alone.contract.ts';

async function open(): Promise<HandMadeWorld> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'afloat-phases-'));
  const cluster = await EmbeddedCluster.open(folder);
  let made = 0;
  return {
    cluster,
    everyKill: 3,
    async newNamespace() {
      const name = `n${made++}`;
      await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
      return name;
    },
    async close() {
      await cluster.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

phaseAloneContract('phases by hand in the embedded cluster', open);
handMadeFlowContract('flows by hand in the embedded cluster', open);
broughtFlowContract('flows that a chart brings, in the embedded cluster', open);
