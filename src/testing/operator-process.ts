import type { OperatorRequest } from '../app/operator/operator-request.ts';
import { type OperatorWorld, runOperator } from '../app/operator/run-operator.ts';
import { eventually } from '../cluster/contract/case-world.contract.ts';

/** Times that let a test see a whole lease run out. */
export const shortLease = { leaseSeconds: 4, renewDeadlineSeconds: 2.5, retrySeconds: 0.3 } as const;

/** The operator as `afloat operator` runs it, in this process. */
export class OperatorProcess {
  readonly lines: string[] = [];
  /** How it ended. */
  readonly ended: Promise<'stopped' | 'lost'>;
  readonly #stop = new AbortController();
  #port = 0;

  constructor(
    request: Partial<OperatorRequest>,
    identity: string,
    times: OperatorWorld['election'] = shortLease,
  ) {
    const whole: OperatorRequest = {
      ...{ metricsAddress: '127.0.0.1:0', leaderElect: true, logLevel: 'debug', logFormat: 'json' },
      ...request,
    };
    this.ended = runOperator(whole, {
      signal: this.#stop.signal,
      write: line => void this.lines.push(line),
      election: { ...times, identity },
      onListening: port => {
        this.#port = port;
      },
    });
    // Looked at by who waits for it; a test that does not must not die of it.
    this.ended.catch(() => {});
  }

  /** What one of its pages says, and with which status; status 0 while nothing answers. */
  async page(path: string): Promise<{ readonly status: number; readonly text: string }> {
    if (this.#port === 0) return { status: 0, text: '' };
    const answer = await fetch(`http://127.0.0.1:${this.#port}${path}`);
    return { status: answer.status, text: await answer.text() };
  }

  /** Waits until it is ready as this: `leader` or `standing by`. */
  async is(what: 'leader' | 'standing by'): Promise<void> {
    await eventually(`it is ${what}`, async () => {
      const { status, text } = await this.page('/readyz');
      return status === 200 && text.trim() === what;
    });
  }

  /** What was logged, each line as the object it is. */
  get log(): readonly Readonly<Record<string, unknown>>[] {
    return this.lines.map(line => JSON.parse(line));
  }

  /** As SIGTERM does. */
  stop(): Promise<'stopped' | 'lost'> {
    this.#stop.abort();
    return this.ended;
  }
}
