/** Clients of the example image service: they write images in the name of a user of identity, and read them back. */
import type { ClientLoad } from './client-load.ts';
import { type Ask, fieldOf, type Pace, PacedClients, sayAnswer } from './paced-clients.ts';
import { timedRequest } from './timed-request.ts';
import { checkWritten, type Written } from './written-rows.ts';

export interface ImageLoadWish extends Pace {
  /** Where identity gives the token that all clients use. */
  readonly identity: { readonly address: string; readonly port: number };
}

/** Logs a user in and starts clients of image. Throws where identity gives no token. */
export async function startImageLoad(wish: ImageLoadWish): Promise<ClientLoad> {
  const headers = { 'x-auth-token': await tokenOf(wish) };
  const images: Written[] = [];
  let names = 0;
  const clients = new PacedClients(wish, ask => {
    names += 1;
    return round(ask, `image-${process.pid}-${names}`, headers, images);
  });
  return {
    counts: () => clients.counts(),
    get lastFailure() {
      return clients.lastFailure;
    },
    checkWrites: () => checkWritten(clients, images, { folder: '/v2/images', field: 'image' }),
    stop: () => clients.stop(),
  };
}

/** An image, read back at once; and one of the older ones. */
async function round(
  ask: Ask,
  name: string,
  headers: Readonly<Record<string, string>>,
  images: Written[],
): Promise<void> {
  const content = { name, content: name.repeat(10) };
  const made = await ask({
    ...{ method: 'POST', path: '/v2/images', status: 201, field: 'image', content, headers },
    isRight: image => image['name'] === name && typeof image['id'] === 'string',
  });
  if (made) images.push({ id: String(made['id']), name });
  const older = images[Math.floor(Math.random() * images.length)];
  for (const image of [images.at(-1), older]) {
    if (!image) continue;
    await ask({
      ...{ method: 'GET', path: `/v2/images/${image.id}`, status: 200, field: 'image' },
      isRight: read => read['name'] === image.name,
    });
  }
}

async function tokenOf({ identity, limitMs = 5000 }: ImageLoadWish): Promise<string> {
  const ask = async (path: string, content: unknown, field: string) => {
    const answer = await timedRequest({ ...identity, limitMs, method: 'POST', path, content });
    const id = fieldOf(answer, field)?.['id'];
    if (typeof id !== 'string') throw new TypeError(`identity, POST ${path}: ${sayAnswer(answer)}`);
    return id;
  };
  const user = await ask('/v3/users', { name: `images-${process.pid}` }, 'user');
  return ask('/v3/tokens', { user }, 'token');
}
