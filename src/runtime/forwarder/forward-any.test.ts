import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ForwarderWorld } from './forwarder-world.contract.ts';
import { endpoint, type TestServer, tcpServer } from './servers.contract.ts';

/** A message as bytes, cut at places. */
interface Message {
  readonly text: string;
  readonly cuts: readonly number[];
}

interface Turn {
  readonly question: Message;
  readonly answer: Message;
}

const text = fc.string({ unit: 'binary-ascii', maxLength: 200 });
const cuts = fc.array(fc.nat(400), { maxLength: 6 });
const field = fc
  .tuple(fc.stringMatching(/^X-[a-z]{1,8}$/), fc.stringMatching(/^[!-~ ]{0,20}$/))
  .map(([name, value]) => `${name}: ${value}\r\n`);
const fields = fc.array(field, { maxLength: 4 }).map(list => list.join(''));

function chunked(parts: readonly string[]): string {
  const chunks = parts.filter(part => part !== '').map(part => `${part.length.toString(16)}\r\n${part}\r\n`);
  return `${chunks.join('')}0\r\n\r\n`;
}

/** A body with the fields that say where it ends. */
const body = fc.oneof(
  fc.constant(''),
  text.map(content => `Content-Length: ${content.length}\r\n\r\n${content}`),
  fc.array(text, { maxLength: 4 }).map(parts => `Transfer-Encoding: chunked\r\n\r\n${chunked(parts)}`),
);

const question = fc
  .record({ method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'), fields, body })
  .map(({ method, fields, body }) => `${method} /a HTTP/1.1\r\n${fields}${body || '\r\n'}`);

const answer = fc
  .record({ interim: fc.boolean(), status: fc.constantFrom(200, 201, 404, 503), fields, body })
  .map(({ interim, status, fields, body }) => {
    const first = interim ? 'HTTP/1.1 102 Processing\r\n\r\n' : '';
    return `${first}HTTP/1.1 ${status} Any\r\n${fields}${body || 'Content-Length: 0\r\n\r\n'}`;
  });

const turns = fc.array(
  fc.record({
    question: fc.record({ text: question, cuts }),
    answer: fc.record({ text: answer, cuts }),
  }),
  { minLength: 1, maxLength: 5 },
);

describe('any exchange', () => {
  const world = new ForwarderWorld();
  let server: TestServer;
  let port = 0;
  let serve: (socket: Socket) => void = () => {};
  beforeAll(async () => {
    server = await tcpServer(socket => serve(socket));
    port = await ForwarderWorld.port();
    const endpoints = [endpoint(server.port)];
    world.write([{ id: 'default/any:80', address: '127.0.0.1', port, protocol: 'http', endpoints }]);
    await world.startHere();
  });
  afterAll(async () => {
    server.close();
    await world.close();
  });

  test('comes through byte for byte, however it is cut and however far the client is ahead', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async script => {
        const seen = { questions: '', answers: '' };
        serve = socket => follow(socket, script, seen);
        const client = connect({ port, host: '127.0.0.1' });
        client.setNoDelay(true);
        await once(client, 'connect');
        const wanted = script.map(turn => turn.answer.text).join('');
        const done = new Promise<void>(resolve => {
          client.on('data', chunk => {
            seen.answers += chunk.toString('latin1');
            if (seen.answers.length >= wanted.length) resolve();
          });
          client.on('close', () => resolve());
        });
        await inPieces(client, {
          text: script.map(turn => turn.question.text).join(''),
          cuts: script.flatMap(turn => turn.question.cuts),
        });
        await done;
        client.destroy();
        for (const socket of server.sockets) socket.destroy();
        expect(seen).toEqual({ questions: script.map(turn => turn.question.text).join(''), answers: wanted });
      }),
      { numRuns: 150 },
    );
  });
});

/** A server that knows what comes, and answers each question when it has all of it. */
function follow(socket: Socket, script: readonly Turn[], seen: { questions: string }): void {
  let turn = 0;
  let expected = script[0]?.question.text.length ?? 0;
  socket.on('data', async chunk => {
    seen.questions += chunk.toString('latin1');
    if (seen.questions.length < expected) return;
    const now = script[turn];
    turn += 1;
    expected += script[turn]?.question.text.length ?? 0;
    if (now) await inPieces(socket, now.answer);
  });
}

async function inPieces(socket: Socket, { text, cuts }: Message): Promise<void> {
  const places = [...new Set([0, ...cuts.map(cut => cut % (text.length + 1)), text.length])].sort(
    (a, b) => a - b,
  );
  for (const [index, from] of places.slice(0, -1).entries()) {
    socket.write(text.slice(from, places[index + 1]), 'latin1');
    await new Promise(resolve => setImmediate(resolve));
  }
}
