import { expect, test } from 'vitest';
import type { JourneyWorld } from '../../journeys/engine/journey-world.ts';
import { adminToken, asked, keystoneUrl, userOf } from '../keystone-person.ts';
import {
  adminPassword,
  applyKeystone,
  keystoneVersions,
  patience,
  servedVersion,
  storyMs,
  writePassword,
} from '../keystone-world.ts';

const { patched } = keystoneVersions;

/** A password that was changed stays changed, whatever Afloat does. Begins with the first version, and ends with the patched one, installed anew. */
export function passwordStories(at: () => JourneyWorld): void {
  /** Changes the administrator's password as a person does: in Keystone, and then in the Secret that tests log in with. */
  async function changePassword(to: string): Promise<void> {
    const world = at();
    const url = await keystoneUrl(world);
    const token = (await adminToken(world)) ?? '';
    const headers = { 'x-auth-token': token };
    const content = { user: { original_password: await adminPassword(world), password: to } };
    const path = `/v3/users/${await userOf(url, token)}/password`;
    await asked(url, { method: 'POST', path, headers, content, status: 204 });
  }

  test(
    'a changed password is asked for before an upgrade, and neither that nor a new install sets it back',
    async () => {
      const world = at();
      const old = await adminPassword(world);
      const changed = 'changed-by-a-person';
      await changePassword(changed);
      await applyKeystone(world, patched, { values: { testCalls: 53 } });
      const refused = await world.untilFlowEnds('keystone', 'refused', patience);
      expect(refused.status?.because).toContain('the Secret keystone-admin');
      await writePassword(world, 'keystone-admin', changed);
      const expectChanged = async (version: string) => {
        expect(await servedVersion(world)).toBe(version);
        expect(await adminPassword(world)).toBe(changed);
        expect(await adminToken(world)).toBeDefined();
        expect(await adminToken(world, { password: old })).toBeUndefined();
      };
      await applyKeystone(world, patched);
      await world.untilFlowEnds('keystone', 'operational', patience);
      await expectChanged(patched);

      await world.apply({
        services: [
          { name: 'mariadb', version: '10.11' },
          { name: 'memcached', version: '1.6.18' },
        ],
        removed: [{ name: 'keystone' }],
      });
      await world.untilFlowEnds('keystone', 'removed', patience);
      await applyKeystone(world, patched);
      await world.untilFlowEnds('keystone', 'operational', patience);
      await expectChanged(patched);
    },
    storyMs,
  );
}
