import { ask, type Login, loginRequest, sayAnswered, tokenIn } from './keystone-request.ts';

const askers = 4;

/**
 * How many requests a second a Keystone answers, when a few clients ask without a pause for what it is asked for most: half of them for tokens, half of
 * them whether one is valid. Fails where an answer is a wrong one.
 */
export async function measureCapacity(url: URL, admin: Login, seconds = 3): Promise<number> {
  const began = performance.now();
  let answers = 0;
  const asker = async () => {
    do {
      const login = loginRequest(admin);
      const given = await ask(url, login);
      const token = 'failure' in given || given.status !== login.status ? undefined : tokenIn(given);
      if (token === undefined) throw new Error(`no capacity to measure: ${sayAnswered(given)}`);
      const headers = { 'x-auth-token': token, 'x-subject-token': token };
      const read = await ask(url, { method: 'GET', path: '/v3/auth/tokens', headers, status: 200 });
      if ('failure' in read || read.status !== 200)
        throw new Error(`no capacity to measure: ${sayAnswered(read)}`);
      answers += 2;
    } while (performance.now() - began < seconds * 1000);
  };
  await Promise.all(Array.from({ length: askers }, asker));
  return answers / ((performance.now() - began) / 1000);
}
