/** Somebody who asks a Keystone of a world: where clients find it, or one of its pods alone. */
import { sliceLabel } from '../../src/api/labels.ts';
import type { JourneyWorld } from '../journeys/engine/journey-world.ts';
import { adminPassword } from './keystone-world.ts';
import {
  ask,
  bodyOf,
  type GoodAnswer,
  type KeystoneRequest,
  loginRequest,
  sayAnswered,
  tokenIn,
} from './load/keystone-request.ts';

/** Long enough for a machine that is busy with other things. */
const limitMs = 30_000;

/** The address that clients use. */
export async function keystoneUrl(world: JourneyWorld): Promise<URL> {
  const { address, port } = await world.address('keystone');
  return new URL(`http://${address}:${port}`);
}

/** The addresses of the pods that run, with the slices they are in. */
export async function keystonePods(world: JourneyWorld): Promise<{ slice: string; url: URL }[]> {
  const pods = await world.pods('keystone');
  return pods.map(({ metadata, status }) => ({
    slice: metadata.labels?.[sliceLabel] ?? '',
    url: new URL(`http://${(status as { podIP?: string } | undefined)?.podIP}:5000`),
  }));
}

/** Asks, and gives the answer; fails where there is none, or another than these. */
export async function asked(
  url: URL,
  request: KeystoneRequest,
  ...others: readonly number[]
): Promise<GoodAnswer> {
  const answer = await ask(url, request, { limitMs });
  if ('failure' in answer || ![request.status, ...others].includes(answer.status))
    throw new TypeError(sayAnswered(answer));
  return answer;
}

/** A token of the administrator, by the password that its Secret has unless told; undefined where that is refused. */
export async function adminToken(
  world: JourneyWorld,
  { url, password }: { readonly url?: URL; readonly password?: string } = {},
): Promise<string | undefined> {
  const given = password ?? (await adminPassword(world));
  const login = loginRequest({ user: 'admin', password: given, project: 'admin' });
  return tokenIn(await asked(url ?? (await keystoneUrl(world)), login, 401));
}

/** The user whose token it is. */
export async function userOf(url: URL, token: string): Promise<string> {
  const headers = { 'x-auth-token': token, 'x-subject-token': token };
  const answer = await asked(url, { method: 'GET', path: '/v3/auth/tokens', headers, status: 200 });
  const user = bodyOf(answer, 'token')?.['user'] as { readonly id: string } | undefined;
  if (!user) throw new TypeError('a token without a user');
  return user.id;
}

/** Whether a token is valid, as this Keystone says. */
export async function isValid(url: URL, token = ''): Promise<boolean> {
  const headers = { 'x-auth-token': token, 'x-subject-token': token };
  const { status } = await asked(
    url,
    { method: 'GET', path: '/v3/auth/tokens', headers, status: 200 },
    ...[401, 404],
  );
  return status === 200;
}
