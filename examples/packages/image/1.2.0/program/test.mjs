/** Proves that the slice under test keeps images, for those who have a token. What it writes it takes away again. */
import { Client, same } from './client.mjs';
import { version } from './version.mjs';

export async function test(env) {
  const identity = new Client(env, 'identity', 5000);
  const image = new Client(env, 'image', 9292, `${version}/${env.SLICE || 'none'}`);
  const { user } = await identity.ask('POST', '/v3/users', 201, { name: `test-image-${process.pid}` });
  const { token } = await identity.ask('POST', '/v3/tokens', 201, { user: user.id });
  try {
    await useImages(image, { 'x-auth-token': token.id });
  } finally {
    await identity.ask('DELETE', `/v3/tokens/${token.id}`, 200);
    await identity.ask('DELETE', `/v3/users/${user.id}`, 200);
  }
  process.stdout.write(`${image.calls} calls, all as they should be\n`);
}

async function useImages(image, mine) {
  await image.ask('GET', '/healthz', 200);
  same('the version', (await image.ask('GET', '/version', 200)).version, version);
  // Images of clients, as the migration left them.
  const { images } = await image.ask('GET', '/v2/images', 200);
  const nameless = images.filter(({ name }) => name === '');
  same('the number of images without a name', nameless.length, 0);
  await image.ask('GET', '/v2/images/nothing', 404);
  await image.ask('POST', '/v2/images', 401, { name: 'raft' });
  await image.ask('POST', '/v2/images', 401, { name: 'raft' }, { 'x-auth-token': 'forged' });
  await image.ask('POST', '/v2/images', 400, { title: 'raft' }, mine);
  for (const name of ['raft', 'boat', 'ship', 'ark']) {
    const made = (await image.ask('POST', '/v2/images', 201, { name, content: name.repeat(100) }, mine))
      .image;
    const read = (await image.ask('GET', `/v2/images/${made.id}`, 200)).image;
    same('an image that is read back', [read.name, read.visibility], [name, 'public']);
    const { content } = await image.ask('GET', `/v2/images/${made.id}/file`, 200);
    same('its content', content, name.repeat(100));
    await image.ask('DELETE', `/v2/images/${made.id}`, 200, undefined, mine);
    await image.ask('GET', `/v2/images/${made.id}`, 404);
  }
}
