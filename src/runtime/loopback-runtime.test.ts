import { describe, test } from 'vitest';
import { cacheFolder } from '../../scripts/kubernetes/build/find-programs.ts';
import { findDebianTools, missingForDebianTools } from '../../scripts/kubernetes/node/debian-tools.ts';
import { runtimeContract } from './contract/runtime-contract.ts';
import { embeddedWorld } from './embedded-world.contract.ts';
import { loopbackDifferences } from './loopback-differences.contract.ts';

const missing =
  process.platform === 'linux' ? await missingForDebianTools(cacheFolder()) : 'it runs on Linux only';

if (missing === undefined) {
  runtimeContract('the embedded runtime without namespaces', async () => {
    const { busyboxRoot } = await findDebianTools(cacheFolder(), () => {});
    return embeddedWorld({ isolation: 'loopback', busyboxRoot, differences: loopbackDifferences });
  });
} else {
  describe('the embedded runtime without namespaces', () => {
    test('is held to the contract', ({ skip }) => skip(missing));
  });
}
