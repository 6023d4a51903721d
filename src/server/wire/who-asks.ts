import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Account } from '../../cluster/cluster.ts';
import { ClusterError } from '../../cluster/cluster-error.ts';

/** Whether a request shows the token. Takes as long for a token that is nearly right as for one that is not at all. */
export function tokenCheck(token: string): (request: IncomingMessage) => boolean {
  const wanted = digest(token);
  return ({ headers }) => {
    const [, shown] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
    return shown !== undefined && timingSafeEqual(digest(shown), wanted);
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** In whose name a request is made, where not in that of the token. Throws `BadRequest` where groups have no user. */
export function impersonated({ headersDistinct }: IncomingMessage): Account | undefined {
  const [user] = textsIn(headersDistinct['impersonate-user']);
  const groups = textsIn(headersDistinct['impersonate-group']);
  if (user !== undefined) return { user, ...(groups.length === 0 ? {} : { groups }) };
  if (groups.length === 0) return undefined;
  throw new ClusterError('BadRequest', 'requested groups without impersonating a user');
}

/** Headers are bytes; names of people are UTF-8. */
function textsIn(values: readonly string[] | undefined): string[] {
  return (values ?? []).map(value => Buffer.from(value, 'latin1').toString()).filter(Boolean);
}
