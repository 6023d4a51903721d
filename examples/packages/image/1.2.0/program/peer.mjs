/** Another service, seen from a client: asked on kept connections, and again while it does not answer. */
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const notNow = new Set([502, 503, 504]);

/** What a service said no to (`said` is its status), or that it could not be reached. */
export class PeerError extends Error {
  constructor(message, said) {
    super(message);
    this.said = said;
    this.status = said === undefined ? 503 : 500;
  }
}

export class Peer {
  #agent = new Agent({ keepAlive: true, maxSockets: 32 });
  #address;
  #patience;

  /** `patience`: for how many seconds it is asked again. Only for calls that may be made twice. */
  constructor(address, patience) {
    this.#address = address;
    this.#patience = patience * 1000;
  }

  /** Gives the bytes of an answer that is no refusal. */
  async send(method, path, body, headers = { 'content-type': 'application/json' }) {
    const until = performance.now() + this.#patience;
    for (;;) {
      const answer = await this.#ask(method, path, body, headers).catch(error => ({ error }));
      const isOver = performance.now() > until;
      if (answer.error) {
        if (isOver) throw new PeerError(`${this.#address.host} does not answer: ${answer.error.message}`);
      } else if (answer.status < 300) return answer.bytes;
      else if (isOver || !notNow.has(answer.status)) {
        throw new PeerError(`${method} ${path}: ${answer.status} ${answer.bytes}`, answer.status);
      }
      await pause(50);
    }
  }

  /** The same for a JSON answer; undefined where there is no such thing. */
  async find(path, headers) {
    try {
      return JSON.parse(await this.send('GET', path, undefined, headers));
    } catch (error) {
      if (error.said === 404) return undefined;
      throw error;
    }
  }

  #ask(method, path, body, headers) {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const how = { agent: this.#agent, method, path, timeout: 10_000, headers: { ...headers, ...length } };
      const asked = request({ ...this.#address, ...how }, response => {
        const chunks = [];
        response.on('data', chunk => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode, bytes: Buffer.concat(chunks) }));
        response.on('error', reject);
      });
      asked.on('timeout', () => asked.destroy(new Error('no answer for 10 s')));
      asked.on('error', reject);
      asked.end(body);
    });
  }

  close() {
    this.#agent.destroy();
  }
}
