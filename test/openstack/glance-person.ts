/** Somebody who has images in a Glance: makes them, uploads as slowly as they like, reads back. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { JourneyWorld } from '../journeys/engine/journey-world.ts';
import { adminToken } from './keystone-person.ts';

/** How often a slow client sends something, and which part of what is left: it never comes to its end by itself. */
const [everyMs, part] = [200, 1 / 200];

/** An image as Glance tells of it. */
export interface Image {
  readonly id: string;
  readonly status: string;
  readonly size: number | null;
  readonly os_hash_value: string | null;
}

/** An upload that goes on. */
export interface SlowUpload {
  readonly image: string;
  readonly sha256: string;
  readonly bytes: number;
  /** How much was sent. */
  sent(): number;
  /** Whether it goes on still: no answer came, and the connection is there. */
  isGoingOn(): boolean;
  /** Sends the rest at once; gives the status of the answer. */
  finish(): Promise<number>;
  /** Ends it in the middle, as a client that is gone. */
  giveUp(): void;
}

/** Begins to upload so many bytes where clients do, slowly, as an image of its own. It goes on, whatever happens, until it is finished. */
export async function startSlowUpload(
  world: JourneyWorld,
  bytes: number,
  { chunked = false } = {},
): Promise<SlowUpload> {
  const token = (await adminToken(world)) ?? '';
  const image = await createImage(world, token);
  const content = randomBytes(bytes);
  const sent = await open(world, { method: 'PUT', path: `/v2/images/${image}/file`, token }, [
    ...['content-type', 'application/octet-stream'],
    ...(chunked ? ['transfer-encoding', 'chunked'] : ['content-length', `${bytes}`]),
  ]);
  let ended: number | Error | undefined;
  let [at, isToFinish, isOver] = [0, false, false];
  const answer = statusOf(sent).then(
    status => {
      ended = status;
    },
    (error: Error) => {
      ended = error;
    },
  );
  sent.on('error', error => {
    ended ??= error;
  });
  const send = async () => {
    while (at < bytes && !isOver && ended === undefined) {
      const next = isToFinish ? 64 * 1024 : Math.max(1, Math.floor((bytes - at) * part));
      // The last byte is kept back until it is asked for.
      const end = Math.min(at + next, isToFinish ? bytes : bytes - 1);
      if (!sent.write(content.subarray(at, end)) && isToFinish)
        await Promise.race([once(sent, 'drain'), answer]);
      at = end;
      if (!isToFinish) await pause(everyMs);
    }
    if (!isOver) sent.end();
  };
  const sending = send();
  return {
    ...{ image, bytes, sha256: sha256Of([content]) },
    sent: () => at,
    isGoingOn: () => ended === undefined,
    async finish() {
      isToFinish = true;
      await sending;
      await answer;
      if (typeof ended !== 'number') throw new TypeError(`the upload was cut: ${ended?.message}`);
      return ended;
    },
    giveUp() {
      isOver = true;
      sent.destroy();
    },
  };
}

/** The digest of what clients download. */
export async function downloaded(
  world: JourneyWorld,
  image: string,
): Promise<{ bytes: number; sha256: string }> {
  const answer = await asked(world, `/v2/images/${image}/file`);
  const parts: Buffer[] = [];
  for await (const chunk of answer) parts.push(chunk as Buffer);
  return { bytes: parts.reduce((sum, { length }) => sum + length, 0), sha256: sha256Of(parts) };
}

/** An image as Glance tells of it now. */
export async function imageOf(world: JourneyWorld, image: string): Promise<Image> {
  return JSON.parse(await textOf(await asked(world, `/v2/images/${image}`))) as Image;
}

async function createImage(world: JourneyWorld, token: string): Promise<string> {
  const wish = JSON.stringify({ name: 'of-a-person', disk_format: 'raw', container_format: 'bare' });
  const sent = await open(world, { method: 'POST', path: '/v2/images', token }, [
    ...['content-type', 'application/json', 'content-length', `${Buffer.byteLength(wish)}`],
  ]);
  sent.end(wish);
  const answer = await answerTo(sent);
  const text = await textOf(answer);
  if (answer.statusCode !== 201) throw new TypeError(`an image created: ${answer.statusCode} ${text}`);
  return (JSON.parse(text) as Image).id;
}

async function asked(world: JourneyWorld, path: string): Promise<IncomingMessage> {
  const token = (await adminToken(world)) ?? '';
  const sent = await open(world, { method: 'GET', path, token }, []);
  sent.end();
  const answer = await answerTo(sent);
  if (answer.statusCode !== 200) throw new TypeError(`${path}: ${answer.statusCode} ${await textOf(answer)}`);
  return answer;
}

async function open(
  world: JourneyWorld,
  { method, path, token }: { readonly method: string; readonly path: string; readonly token: string },
  headers: readonly string[],
): Promise<ClientRequest> {
  const { address: host, port } = await world.address('glance');
  const all = ['host', `${host}:${port}`, 'x-auth-token', token, ...headers];
  return request({ host, port, method, path, headers: all, agent: false });
}

async function answerTo(sent: ClientRequest): Promise<IncomingMessage> {
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return answer;
}

async function statusOf(sent: ClientRequest): Promise<number> {
  const answer = await answerTo(sent);
  await textOf(answer);
  return answer.statusCode ?? 0;
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += String(chunk);
  return text;
}

function sha256Of(parts: readonly Buffer[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
