import { Agent, get } from 'node:http';

/** Clients of one address who ask without a pause, half of them on kept connections, half on a new one each time. */
export class ClientLoad {
  answered = 0;
  /** How often each failure came. */
  readonly failures: Record<string, number> = {};
  /** How often each answer came. */
  readonly answers = new Map<string, number>();
  readonly #keepAlive = new Agent({ keepAlive: true });
  readonly #clients: Promise<void>[];
  #isOver = false;

  constructor(host: string, port: number, clients = 6) {
    this.#clients = Array.from({ length: clients }, async (_, index) => {
      while (!this.#isOver) await this.#ask(host, port, index % 2 === 0 ? this.#keepAlive : undefined);
    });
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
    this.#keepAlive.destroy();
  }

  async #ask(host: string, port: number, agent: Agent | undefined): Promise<void> {
    try {
      const { status, body } = await fetchText(host, port, agent);
      if (status !== 200) throw new TypeError(`status ${status}: ${body}`);
      this.answered += 1;
      this.answers.set(body, (this.answers.get(body) ?? 0) + 1);
    } catch (error) {
      const failure = String(error).trim();
      this.failures[failure] = (this.failures[failure] ?? 0) + 1;
    }
    // The machine has other work too: clients that never pause would take it all.
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

function fetchText(
  host: string,
  port: number,
  agent: Agent | undefined,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const request = get({ host, port, agent: agent ?? false, timeout: 20_000 }, response => {
      let body = '';
      response.on('data', chunk => {
        body += String(chunk);
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      response.on('error', reject);
    });
    request.on('timeout', () => request.destroy(new TypeError('no answer for 20 s')));
    request.on('error', reject);
  });
}
