import { Agent, request } from 'node:http';

/** Where clients go. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The answer to one request: the name of the slice that gave it. What is no good answer is thrown. */
export function ask(address: Address, agent?: Agent): Promise<string> {
  return hold(address, { agent }).end();
}

/** Whether nobody answers there: it is refused, or not so much as that for two seconds. */
export async function isDeaf(address: Address): Promise<boolean> {
  try {
    await hold(address, { patienceMs: 2000 }).end();
    return false;
  } catch {
    return true;
  }
}

/** A request that is in flight until its client ends it. */
export interface HeldRequest {
  /** Resolves when a server has it. */
  readonly reached: Promise<void>;
  /** Sends the rest, and gives the answer. */
  end(): Promise<string>;
}

/** Begins a request and does not end it: the server answers when it has all of it. */
export function hold(
  { host, port }: Address,
  { agent, patienceMs = 60_000 }: { agent?: Agent | undefined; patienceMs?: number } = {},
): HeldRequest {
  const post = request({ host, port, method: 'POST', agent: agent ?? false, timeout: patienceMs });
  const reached = new Promise<void>((resolve, reject) => {
    post.once('response', () => resolve());
    post.once('error', reject);
  });
  const answer = new Promise<string>((resolve, reject) => {
    post.once('error', reject);
    post.once('timeout', () => post.destroy(new Error(`no answer for ${patienceMs} ms`)));
    post.once('response', response => {
      let body = '';
      response.setEncoding('utf8').on('data', chunk => {
        body += chunk;
      });
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode === 200) resolve(body);
        else reject(new Error(`${response.statusCode}: ${body.trim()}`));
      });
    });
  });
  // Who holds a request asks for its answer later: that it failed is told then.
  reached.catch(() => {});
  answer.catch(() => {});
  post.write('begun');
  return {
    reached,
    end() {
      post.end();
      return answer;
    },
  };
}

/** Clients of one address who ask on and on, half of them by kept connections. */
export class Clients {
  /** How often each failure came. */
  readonly failures: Record<string, number> = {};
  /** How often each slice answered. */
  readonly answers: Record<string, number> = {};
  readonly #agent = new Agent({ keepAlive: true });
  readonly #clients: Promise<void>[];
  #isOver = false;

  constructor(address: Address, count = 4) {
    this.#clients = Array.from({ length: count }, async (_, index) => {
      while (!this.#isOver) {
        await this.#askOnce(address, index % 2 === 0 ? this.#agent : undefined);
        // The machine has other work too.
        await new Promise(resolve => setTimeout(resolve, 5));
      }
    });
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
    this.#agent.destroy();
  }

  async #askOnce(address: Address, agent: Agent | undefined): Promise<void> {
    try {
      const slice = await ask(address, agent);
      this.answers[slice] = (this.answers[slice] ?? 0) + 1;
    } catch (error) {
      const failure = String(error);
      this.failures[failure] = (this.failures[failure] ?? 0) + 1;
    }
  }
}
