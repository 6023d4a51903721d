/** A client for tests: every call has an expected answer, and is counted. */
import { addressOf } from './address.mjs';

export class Client {
  calls = 0;
  #base;
  #servedBy;

  /** `servedBy`: who has to answer, where the answers tell. */
  constructor(env, name, usualPort, servedBy) {
    const { host, port } = addressOf(env, name, usualPort);
    this.#base = `http://${host}:${port}`;
    this.#servedBy = servedBy;
  }

  /** Gives the answer, which has to have this status. */
  async ask(method, path, wanted, content, headers = {}) {
    this.calls += 1;
    const response = await fetch(this.#base + path, {
      method,
      signal: AbortSignal.timeout(10_000),
      headers: { ...headers, ...(content && { 'content-type': 'application/json' }) },
      ...(content && { body: JSON.stringify(content) }),
    });
    const text = await response.text();
    const what = `${method} ${path}`;
    if (response.status !== wanted)
      throw new TypeError(`${what}: ${response.status}, not ${wanted}: ${text}`);
    const by = response.headers.get('x-served-by');
    if (this.#servedBy && by !== this.#servedBy)
      throw new TypeError(`${what}: ${by} answered, not ${this.#servedBy}`);
    return JSON.parse(text);
  }
}

/** Fails where two values differ. */
export function same(what, seen, wanted) {
  if (JSON.stringify(seen) === JSON.stringify(wanted)) return;
  throw new TypeError(`${what} is ${JSON.stringify(seen)}, not ${JSON.stringify(wanted)}`);
}
