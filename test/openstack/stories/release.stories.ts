import { expect, test } from 'vitest';
import type { JourneyWorld } from '../../journeys/engine/journey-world.ts';
import { adminToken, isValid, keystoneUrl } from '../keystone-person.ts';
import {
  applyKeystone,
  type KeystoneWish,
  keystoneVersions,
  movesOf,
  patience,
  servedVersion,
  storyMs,
} from '../keystone-world.ts';
import { testCalls } from '../test-calls.ts';
import { unnoticed } from '../unnoticed.ts';

const { first, next } = keystoneVersions;

/** The next release, in both ways that clients do not notice, and back before the contract. Begins and ends with the first version. */
export function releaseStories(at: () => JourneyWorld): void {
  /** Goes to a version, with clients; tokens of before must be good afterwards. Gives the moves. */
  async function goTo(
    version: string,
    wish: KeystoneWish,
    tokens: (string | undefined)[],
  ): Promise<string[]> {
    const world = at();
    const url = await keystoneUrl(world);
    tokens.push(await adminToken(world));
    const flow = await unnoticed(world, async () => {
      await applyKeystone(world, version, { allowUnsupportedJump: true, ...wish });
      return world.untilFlowEnds('keystone', 'operational', patience);
    });
    expect(await servedVersion(world)).toBe(version);
    for (const token of tokens) expect(await isValid(url, token)).toBe(true);
    return movesOf(world, flow);
  }

  test(
    'the next release comes slice by slice, on a schema that both know, and goes again before the contract',
    async () => {
      const tokens: (string | undefined)[] = [];
      const wish = { strategy: 'rolling', values: { testCalls: 52 } };
      const up = await goTo(next, wish, tokens);
      // Data may have been expanded by an earlier story; what counts here is how software goes.
      expect(up.filter(id => id.includes('#'))).toEqual(
        ['1', '2'].flatMap(slice =>
          ['take-traffic:old', 'apply:new', 'test:new', 'give-traffic:new'].map(move => `${move}#${slice}`),
        ),
      );
      expect(up.filter(id => id.startsWith('contract'))).toEqual([]);
      const back = await goTo(first, { strategy: 'rolling' }, tokens);
      expect(back.filter(id => id.startsWith('give-traffic'))).toEqual([
        'give-traffic:new#1',
        'give-traffic:new#2',
      ]);
      expect(back.filter(id => /restore|back-up/.test(id))).toEqual([]);
    },
    storyMs,
  );

  test(
    'the next release comes beside the old one, after all calls of its test, and goes again before the contract',
    async () => {
      const tokens: (string | undefined)[] = [];
      const up = await goTo(next, { values: { testCalls: 200 } }, tokens);
      const moves = up.map(id => id.replace(/:.*/, ''));
      expect(moves.indexOf('test')).toBeLessThan(moves.indexOf('give-traffic'));
      if (moves.includes('expand')) {
        expect(moves.indexOf('verify-backup')).toBeLessThan(moves.indexOf('expand'));
        expect(moves.indexOf('expand')).toBeLessThan(moves.indexOf('apply'));
      }
      expect(moves).not.toContain('contract');
      const kinds = [
        'authenticate',
        'validate',
        'validate a token of the version that serves',
        'list',
        'create',
        'delete',
      ];
      expect(testCalls(at())).toContainEqual(
        expect.objectContaining(Object.fromEntries(kinds.map(kind => [kind, 200]))),
      );
      const back = await goTo(first, {}, tokens);
      expect(back.filter(id => /restore|back-up/.test(id))).toEqual([]);
    },
    storyMs,
  );
}
