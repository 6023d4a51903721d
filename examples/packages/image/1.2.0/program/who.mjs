/** Who a request comes from, as the identity service says. */
import { addressIn } from './address.mjs';
import { Refused } from './http.mjs';
import { Peer } from './peer.mjs';

/** A function from the headers of a request to its user. Refuses a request without a good token. */
export function makeWho(env) {
  const identity = new Peer(addressIn(env, 'IDENTITY', 'http://identity:5000'), 3);
  return async ({ 'x-auth-token': token }) => {
    if (!token) throw new Refused(401, 'a token is needed');
    const found = await identity.find(`/v3/tokens/${encodeURIComponent(token)}`);
    if (!found) throw new Refused(401, 'the token is not known');
    return found.token.user;
  };
}
