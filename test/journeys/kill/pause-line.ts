import type {
  Account,
  Cluster,
  ClusterObject,
  DeleteOptions,
  ListOptions,
  ObjectRef,
  ObjectType,
  Patch,
  PatchOptions,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from '../../../src/cluster/cluster.ts';
import { CutLine } from '../../../src/testing/cut-line.ts';

/**
 * The line of a manager that is stopped at a call and goes on later, as a machine does that was suspended: what it was about to ask it
 * asks then, and what happened meanwhile it hears only then.
 */
export class PauseLine extends CutLine {
  readonly #pauseAt: number;
  #numbered = 0;
  #waiting: (() => void)[] = [];
  #onPause = () => {};
  #state: 'before' | 'paused' | 'after' = 'before';

  constructor(pauseAt: number) {
    super();
    this.#pauseAt = pauseAt;
    this.signal.addEventListener('abort', () => this.resume(), { once: true });
  }

  get isPaused(): boolean {
    return this.#state === 'paused';
  }

  /** Comes when it is stopped; never, once it has gone on. */
  stopped(): Promise<void> {
    if (this.isPaused) return Promise.resolve();
    return new Promise(resolve => {
      if (this.#state === 'before') this.#onPause = resolve;
    });
  }

  /** It goes on. */
  resume(): void {
    this.#state = 'after';
    for (const go of this.#waiting.splice(0)) go();
  }

  /** Waits while it is stopped. */
  async pass(): Promise<void> {
    while (this.isPaused) await new Promise<void>(resolve => this.#waiting.push(resolve));
  }

  override async call<T>(verb: string, about: string, work: () => Promise<T>): Promise<T> {
    this.#numbered += 1;
    if (this.#numbered === this.#pauseAt && this.#state === 'before') {
      this.#state = 'paused';
      this.#onPause();
    }
    await this.pass();
    return super.call(verb, about, work);
  }

  override opens(verb: string, about: string): boolean {
    this.#numbered += 1;
    return super.opens(verb, about);
  }
}

/** The cluster as a manager with a `PauseLine` hears of it: nothing is told while it is stopped. */
export class PausedCluster implements Cluster {
  readonly #inner: Cluster;
  readonly #line: PauseLine;

  constructor(inner: Cluster, line: PauseLine) {
    this.#inner = inner;
    this.#line = line;
  }

  async *watch(type: ObjectType, options?: WatchOptions): AsyncGenerator<WatchEvent> {
    for await (const event of this.#inner.watch(type, options)) {
      await this.#line.pass();
      yield event;
    }
  }

  as(account: Account): Cluster {
    return new PausedCluster(this.#inner.as(account), this.#line);
  }

  get = (ref: ObjectRef) => this.#inner.get(ref);
  list = (type: ObjectType, options?: ListOptions) => this.#inner.list(type, options);
  create = (object: ClusterObject, options?: WriteOptions) => this.#inner.create(object, options);
  update = (object: ClusterObject, options?: WriteOptions) => this.#inner.update(object, options);
  updateStatus = (object: ClusterObject, options?: WriteOptions) => this.#inner.updateStatus(object, options);
  patch = (ref: ObjectRef, patch: Patch, options?: PatchOptions) => this.#inner.patch(ref, patch, options);
  delete = (ref: ObjectRef, options?: DeleteOptions) => this.#inner.delete(ref, options);
}
