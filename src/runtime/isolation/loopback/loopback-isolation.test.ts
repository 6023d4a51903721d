import { describe, expect, test } from 'vitest';
import { ContainerWorld } from '../../container/container-world.contract.ts';
import { describeIsolation } from '../isolation.contract.ts';

describeIsolation('loopback');

describe('loopback alone', () => {
  test('what needs namespaces is refused with the reason', async () => {
    const world = await ContainerWorld.open('loopback');
    await world.pod('pod');
    const refused = [
      [{ root: '/' }, 'a root of its own needs namespaces'],
      [{ mounts: [{ source: '/tmp', target: '/', readOnly: false }] }, 'a volume at / needs namespaces'],
    ] as const;
    for (const [more, reason] of refused) {
      expect(await world.run('pod', 'exit 0', more)).toMatchObject({
        exitCode: 128,
        problem: 'StartError',
        message: expect.stringContaining(reason),
      });
    }
    await world.close();
  });
});
