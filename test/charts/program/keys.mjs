/** Keys that tokens would be signed with: made once, in a Secret that comes empty, and rotated there from time to time. */
import { randomBytes } from 'node:crypto';
import { askApiServer } from './api-server.mjs';

const pathOf = ({ NAMESPACE, SERVICE }) => `/api/v1/namespaces/${NAMESPACE}/secrets/${SERVICE}-keys`;
const newKey = () => Buffer.from(randomBytes(32).toString('hex')).toString('base64');

async function write(env, data) {
  const type = 'application/merge-patch+json';
  await askApiServer(env, pathOf(env), { method: 'PATCH', type, content: { data } });
}

/** Keys that are there stay. */
export async function setUpKeys(env) {
  const secret = await askApiServer(env, pathOf(env));
  if (!secret) throw new TypeError(`no Secret ${env.SERVICE}-keys`);
  if (Object.keys(secret.data ?? {}).length === 0) await write(env, { 0: newKey(), 1: newKey() });
}

/** The newest key gets the highest number; the oldest of four goes. */
export async function rotateKeys(env) {
  const secret = await askApiServer(env, pathOf(env));
  const numbers = Object.keys(secret?.data ?? {})
    .map(Number)
    .sort((a, b) => a - b);
  const oldest = numbers.length >= 4 ? { [numbers[0]]: null } : {};
  await write(env, { ...oldest, [(numbers.at(-1) ?? -1) + 1]: newKey() });
}
