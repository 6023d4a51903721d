import { once } from 'node:events';
import {
  type Agent,
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
} from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import type { Endpoint } from './forwarding-table.ts';

/** A server of its own port, with all that is connected to it. */
export interface TestServer {
  readonly port: number;
  readonly server: Server | TcpServer;
  readonly sockets: ReadonlySet<Socket>;
  close(): void;
}

export async function httpServer(answer: RequestListener): Promise<TestServer> {
  return listening(createServer({ requestTimeout: 0 }, answer));
}

export async function tcpServer(serve: (socket: Socket) => void): Promise<TestServer> {
  return listening(
    createTcpServer({ allowHalfOpen: true }, socket => {
      socket.on('error', () => {});
      serve(socket);
    }),
  );
}

async function listening(server: Server | TcpServer): Promise<TestServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: (server.address() as AddressInfo).port, server, sockets, close };
}

/** An endpoint of a table. */
export function endpoint(port: number, more: Partial<Endpoint> = {}): Endpoint {
  return { id: `pod-${port}`, address: '127.0.0.1', port, slice: '', state: 'serving', ...more };
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

export interface Question {
  readonly host?: string;
  /** With it the connection is kept. */
  readonly agent?: Agent;
  readonly path?: string;
  readonly method?: string;
  readonly body?: Buffer;
}

/** One request and its whole answer. */
export async function ask(port: number, question: Question = {}): Promise<Answer> {
  const { host = '127.0.0.1', agent, path = '/', method = 'GET', body } = question;
  const sent = request({ host, port, path, method, agent: agent ?? false });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  sent.on('error', () => {}); // told by the answer too
  const parts: Buffer[] = [];
  response.on('data', (part: Buffer) => parts.push(part));
  await once(response, 'end');
  return {
    status: response.statusCode ?? 0,
    body: Buffer.concat(parts).toString(),
    headers: response.headers,
  };
}

/** Sends bytes as they are and gives all that comes back until the other side ends. */
export async function talk(port: number, ...parts: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  const heard: Buffer[] = [];
  socket.on('data', (part: Buffer) => heard.push(part));
  for (const part of parts) socket.write(part);
  await once(socket, 'end');
  socket.destroy();
  return Buffer.concat(heard).toString('latin1');
}
