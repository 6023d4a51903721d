import { expect, test } from 'vitest';
import type { JourneyWorld } from '../../journeys/engine/journey-world.ts';
import { isSignedBy, keyMarks, keySecrets, readKeys, rotateKeys } from '../fernet-keys.ts';
import { adminToken, asked, isValid, keystonePods, keystoneUrl, userOf } from '../keystone-person.ts';
import {
  applyKeystone,
  keystoneVersions,
  patience,
  servedVersion,
  storyMs,
  takeVariant,
} from '../keystone-world.ts';
import { bodyOf } from '../load/keystone-request.ts';
import { unnoticed } from '../unnoticed.ts';

const { first, next } = keystoneVersions;
const held = `${next}-held`;
const [tokenKeys, credentialKeys] = keySecrets;

/** Keys that are rotated while two versions serve. Begins and ends with the first version. */
export function keyStories(at: () => JourneyWorld): void {
  /** Waits until both slices of a flow that comes after this one have a share of the requests. */
  const untilBothServe = (former: string | undefined) =>
    at().until(
      'both versions to serve',
      async () => {
        const flow = await at().flowOf('keystone');
        if (!flow || flow.metadata.name === former) return undefined;
        if (flow.status?.end !== undefined) throw new TypeError(await at().describe());
        const phases = await at().phases(flow.metadata.name);
        const shares = phases.flatMap(({ spec, status }) =>
          spec.move?.task === 'give-traffic' ? (status?.traffic?.slices ?? []) : [],
        );
        return shares.filter(({ weight }) => weight > 0).length === 2 && flow;
      },
      patience,
    );

  /** A token from every pod; where a key is named, one that it signed, as soon as each pod has heard of it. */
  async function tokensOfAll(key?: string): Promise<string[]> {
    const tokens: string[] = [];
    for (const { slice, url } of await keystonePods(at()))
      tokens.push(
        await at().until(
          `slice ${slice} to sign with the key of now`,
          async () => {
            const token = await adminToken(at(), { url });
            return token !== undefined && (key === undefined || isSignedBy(token, key)) && token;
          },
          300,
        ),
      );
    return tokens;
  }

  /** Keeps a secret word at one pod, as the administrator; gives where it is read. */
  async function keepWord(url: URL, token: string, word: string): Promise<string> {
    const headers = { 'x-auth-token': token };
    const user = await userOf(url, token);
    const content = { credential: { type: 'journey', blob: word, user_id: user } };
    const made = await asked(url, { method: 'POST', path: '/v3/credentials', headers, content, status: 201 });
    return `/v3/credentials/${bodyOf(made, 'credential')?.['id']}`;
  }

  /** That every pod takes each of these tokens, and reads each of these words. */
  async function expectGood(tokens: readonly string[], words: ReadonlyMap<string, string>): Promise<void> {
    for (const { url } of await keystonePods(at())) {
      for (const token of tokens) expect(await isValid(url, token)).toBe(true);
      const headers = { 'x-auth-token': tokens.at(-1) ?? '' };
      for (const [path, word] of words) {
        const read = await asked(url, { method: 'GET', path, headers, status: 200 });
        expect(bodyOf(read, 'credential')?.['blob']).toBe(word);
      }
    }
  }

  test(
    'keys are rotated, staged first, while two releases serve side by side: every token stays good, and the way back leaves the keys alone',
    async () => {
      const world = at();
      // Half of the requests go to the new one until somebody breaks it off.
      await takeVariant(world, held, {
        of: next,
        changes: {
          'lifecycle.yaml': text =>
            text.replace('weights: [20]', 'weights: [50]').replace('stepSeconds: 3', 'stepSeconds: 86400'),
        },
      });
      const before = await keyMarks(world);
      await unnoticed(world, async () => {
        const former = (await world.flowOf('keystone'))?.metadata.name;
        await applyKeystone(world, held, { allowUnsupportedJump: true });
        const flow = await untilBothServe(former);
        expect(new Set((await keystonePods(world)).map(({ slice }) => slice)).size).toBe(2);
        expect(await keyMarks(world)).toEqual(before);

        const tokens = await tokensOfAll();
        const words = new Map<string, string>();
        for (const [index, { url }] of (await keystonePods(world)).entries())
          words.set(await keepWord(url, tokens[index] ?? '', `before ${index}`), `before ${index}`);
        for (const turn of [1, 2]) {
          // The second turn promotes the key that the first one staged.
          await rotateKeys(world, credentialKeys);
          const signs = await rotateKeys(world, tokenKeys);
          tokens.push(...(await tokensOfAll(signs)));
          for (const [index, { url }] of (await keystonePods(world)).entries())
            words.set(await keepWord(url, tokens.at(-1) ?? '', `${turn} ${index}`), `${turn} ${index}`);
          await expectGood(tokens, words);
        }
        const rotated = await keyMarks(world);
        expect(Object.keys((await readKeys(world, tokenKeys)).keys)).toEqual(['0', '1', '2', '3']);

        await world.patchSpec(flow, { aborted: true });
        await world.untilFlowEnds('keystone', 'rolledback', patience);
        expect(await servedVersion(world)).toBe(first);
        expect(await keyMarks(world)).toEqual(rotated);
        await expectGood(tokens, words);
        expect(await isValid(await keystoneUrl(world), tokens[0])).toBe(true);
      });
      await applyKeystone(world, first);
      await world.untilReady(patience);
    },
    storyMs,
  );
}
