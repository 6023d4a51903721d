import { describe, expect, test } from 'vitest';
import { ContainerWorld } from '../../container/container-world.contract.ts';
import { describeIsolation } from '../isolation.contract.ts';

describeIsolation('loopback');

describe('loopback alone', () => {
  test('what needs namespaces is refused with the reason', async () => {
    const world = await ContainerWorld.open('loopback');
    await world.pod('pod');
    const refused = [{ root: '/' }, { mounts: [{ source: '/tmp', target: '/', readOnly: false }] }];
    for (const more of refused) {
      expect(await world.run('pod', 'exit 0', more)).toMatchObject({
        exitCode: 128,
        problem: 'StartError',
        message: expect.stringContaining('needs namespaces'),
      });
    }
    await world.close();
  });
});
