import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Thing = { readonly id: string; name?: string; description?: string };

/** As much of Keystone as the load asks for, kept in memory; it does wrong what a test wants it to. */
export class StandInKeystone {
  /** Things by path: `/v3/users/1`. */
  readonly things = new Map<string, Thing>();
  readonly tokens = new Set<string>();
  readonly sockets = new Set<unknown>();
  /** Requests for which it returns true were dealt with by the test. Told after the content was read. */
  wrong: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  requests = 0;
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #count = 0;

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(resolve => this.#server.close(resolve));
  }

  /** What a database would answer to the queries of the load, from `rows`. */
  readonly sql = async (query: string, rows = this.things): Promise<string> => {
    const [, table = ''] = /FROM (\w+)/.exec(query) ?? [];
    const folders: Readonly<Record<string, RegExp>> = {
      user: /^\/v3\/users\/(\w+)$/,
      project: /^\/v3\/projects\/(\w+)$/,
      application_credential: /application_credentials\/(\w+)$/,
      assignment: /^\/v3\/projects\/(\w+)\/users\/(\w+)\/roles\/(\w+)$/,
    };
    return [...rows]
      .flatMap(([path, { description = '' }]) => {
        const [found, first = '', user, role] = folders[table]?.exec(path) ?? [];
        if (found === undefined) return [];
        return [`${role === undefined ? first : `${user}/${first}/${role}`}\t${description}`];
      })
      .join('\n');
  };

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests += 1;
    this.sockets.add(request.socket);
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    if (this.wrong(request, response)) return;
    const content = pieces.length > 0 ? JSON.parse(Buffer.concat(pieces).toString()) : {};
    const { status, body, token } = this.carryOut(request, content);
    response.writeHead(status, token === undefined ? {} : { 'x-subject-token': token });
    response.end(status === 204 ? undefined : JSON.stringify(body ?? {}));
  }

  /** What a Keystone that is well does. */
  carryOut(
    { method = '', url: path = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
    content: Record<string, Record<string, string>>,
  ): { readonly status: number; readonly body?: unknown; readonly token?: string } {
    this.#count += 1;
    const id = `${this.#count}`;
    if (path === '/v3/auth/tokens') return this.#token(method, id, String(headers['x-subject-token']));
    if (path === '/v3/roles') return { status: 200, body: { roles: [{ id: 'r1', name: 'member' }] } };
    if (method === 'PUT') {
      this.things.set(path, { id });
      return { status: 204 };
    }
    const [field = '', given = {}] = Object.entries(content)[0] ?? [];
    if (method === 'POST') {
      const made = { id, ...given };
      this.things.set(`${path}/${id}`, made);
      return { status: 201, body: { [field]: made } };
    }
    const there = this.things.get(path);
    if (!there) return { status: 404 };
    if (method === 'DELETE') return { status: this.things.delete(path) ? 204 : 404 };
    if (method === 'HEAD') return { status: 204 };
    if (method === 'PATCH') Object.assign(there, given);
    const folder = path.split('/').at(-2) ?? '';
    return { status: 200, body: { [folder.slice(0, -1)]: there } };
  }

  #token(method: string, id: string, subject: string) {
    const token = { audit_ids: [id], user: { id: 'admin' } };
    if (method === 'DELETE') return { status: this.tokens.delete(subject) ? 204 : 404 };
    if (method === 'GET')
      return this.tokens.has(subject) ? { status: 200, body: { token } } : { status: 404 };
    this.tokens.add(id);
    return { status: 201, body: { token }, token: id };
  }
}
