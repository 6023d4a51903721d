/** The API: images by name, with their content. Who writes needs a token of the identity service. */
import { createHash, randomUUID } from 'node:crypto';
import { answerOf, Refused, serveHttp } from './http.mjs';
import { database } from './schema.mjs';
import { Store } from './store.mjs';
import { version } from './version.mjs';
import { makeWho } from './who.mjs';

export function serveApi(env) {
  const store = new Store(env, database, 3);
  const servedBy = `${version}/${env.SLICE || 'none'}`;
  serveHttp({
    port: Number(env.PORT || 9292),
    routes: routesOf(store, makeWho(env), env),
    headers: { 'x-served-by': servedBy },
    log: line => process.stdout.write(`${line} ${servedBy}\n`),
    onListening: () => process.stdout.write(`image ${servedBy} serves\n`),
  });
}

function routesOf(store, who, env) {
  const shown = ({ id, name, checksum, visibility }) => ({ id, name, checksum, visibility });
  const imageOf = async id => {
    const image = await store.find('images', id);
    if (!image) throw new Refused(404, `no image ${id}`);
    return image;
  };
  const addImage = async (_, { headers, content: { name, content = '', visibility = 'public' } }) => {
    await who(headers);
    if (!['public', 'private'].includes(visibility))
      throw new Refused(400, 'visibility is public or private');
    if (typeof name !== 'string' || name.trim() === '') throw new Refused(400, 'an image needs a name');
    const checksum = createHash('sha256').update(content).digest('hex');
    const image = { id: randomUUID(), name, content, checksum, visibility };
    await store.put('images', image.id, image);
    return answerOf(201, { image: shown(image) });
  };
  const removeImage = async ({ id }, { headers }) => {
    await who(headers);
    await store.remove('images', id);
  };
  const listImages = async () => {
    return { images: (await store.list('images', { limit: 100, visibility: 'public' })).map(shown) };
  };
  return [
    ['GET', '/healthz', () => ({ ok: true })],
    ['GET', '/version', () => ({ version, slice: env.SLICE, region: env.REGION })],
    ['POST', '/v2/images', addImage],
    ['GET', '/v2/images', listImages],
    ['GET', '/v2/images/:id', async ({ id }) => ({ image: shown(await imageOf(id)) })],
    ['GET', '/v2/images/:id/file', async ({ id }) => ({ content: (await imageOf(id)).content })],
    ['DELETE', '/v2/images/:id', removeImage],
  ];
}
