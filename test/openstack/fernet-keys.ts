/** The keys that Keystone signs tokens and hides credentials with: Secrets that whoever rotates them writes, as an operator's own job does. */
import { createHmac, randomBytes } from 'node:crypto';
import type { JourneyWorld } from '../journeys/engine/journey-world.ts';

/** Secrets of keys. */
export const keySecrets = ['keystone-fernet-keys', 'keystone-credential-keys'] as const;

/** Keys by their number: 0 is staged, the highest one signs. */
export type Keys = Readonly<Record<string, string>>;

/** The keys of a Secret, and the mark that every write to it changes. */
export async function readKeys(
  world: JourneyWorld,
  name: string,
): Promise<{ readonly keys: Keys; readonly written: string }> {
  const object = await world.cluster.get(refOf(world, name));
  const { data } = object as unknown as { data: Keys };
  const keys = Object.entries(data).map(([number, text]) => [number, Buffer.from(text, 'base64').toString()]);
  return { keys: Object.fromEntries(keys), written: object.metadata.resourceVersion ?? '' };
}

/** What every write to a Secret of keys would change, for all of them. */
export async function keyMarks(world: JourneyWorld): Promise<string[]> {
  const all = await Promise.all(keySecrets.map(name => readKeys(world, name)));
  return all.map(({ written }) => written);
}

/** Rotates: the staged key, which every process knows, becomes the one that signs, and a new one is staged. Gives the one that signs. */
export async function rotateKeys(world: JourneyWorld, name: string): Promise<string> {
  const { keys } = await readKeys(world, name);
  const staged = keys['0'] ?? '';
  const highest = Math.max(...Object.keys(keys).map(Number)) + 1;
  const fresh = randomBytes(32).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
  const data = { [`${highest}`]: base64(staged), '0': base64(fresh) };
  await world.cluster.patch(refOf(world, name), { type: 'merge', value: { data } });
  return staged;
}

/** Whether this key signed a token: a Fernet token ends with a MAC over all before it, by the first half of the key. */
export function isSignedBy(token: string, key: string): boolean {
  const bytes = Buffer.from(token, 'base64url');
  const half = Buffer.from(key, 'base64url').subarray(0, 16);
  const mac = createHmac('sha256', half).update(bytes.subarray(0, -32)).digest();
  return mac.equals(bytes.subarray(-32));
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

function refOf(world: JourneyWorld, name: string) {
  return { apiVersion: 'v1', kind: 'Secret', namespace: world.namespace, name };
}
