import { describe, test } from 'vitest';
import { cacheFolder } from '../../scripts/kubernetes/build/find-programs.ts';
import { findDebianTools, missingForDebianTools } from '../../scripts/kubernetes/node/debian-tools.ts';
import { runtimeContract } from './contract/runtime-contract.ts';
import { embeddedWorld } from './embedded-world.contract.ts';
import { whyNoNamespaces } from './isolation/namespaces/probe-namespaces.ts';

const missing = (await whyNoNamespaces()) ?? (await missingForDebianTools(cacheFolder()));

if (missing === undefined) {
  runtimeContract('the embedded runtime', async () => {
    const { busyboxRoot } = await findDebianTools(cacheFolder(), () => {});
    return embeddedWorld({ isolation: 'namespaces', busyboxRoot });
  });
} else {
  describe('the embedded runtime', () => {
    test('is held to the contract', ({ skip }) => skip(missing));
  });
}
