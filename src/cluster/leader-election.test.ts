import { describe, expect, test } from 'vitest';
import type { Cluster, ClusterObject, StoredObject } from './cluster.ts';
import { ClusterError } from './cluster-error.ts';
import { ManualClock, settle } from './contract/manual-clock.contract.ts';
import { ScriptedCluster } from './contract/scripted-cluster.contract.ts';
import { lead, type Term, type TermEnd } from './leader-election.ts';

/** One Lease on a server that several candidates see, each over a line of its own that can be cut. */
class LeaseServer {
  lease: StoredObject | undefined;
  writes = 0;

  get spec(): Record<string, unknown> {
    return (this.lease?.['spec'] ?? {}) as Record<string, unknown>;
  }

  line(): { cluster: Cluster; cut: 'no' | 'before' | 'after' | 'hangs' } {
    const line = {
      cut: 'no' as 'no' | 'before' | 'after' | 'hangs',
      cluster: new ScriptedCluster([], []).cluster,
    };
    const over = async <T>(act: () => T): Promise<T> => {
      if (line.cut === 'hangs') await new Promise(() => {});
      if (line.cut === 'before') throw new ClusterError('Unreachable', 'cut');
      const answer = act();
      if (line.cut === 'after') throw new ClusterError('Unreachable', 'cut');
      return answer;
    };
    line.cluster = {
      ...line.cluster,
      get: () => over(() => this.#get()),
      create: object => over(() => this.#create(object)),
      update: object => over(() => this.#update(object)),
    };
    return line;
  }

  #get(): StoredObject {
    if (!this.lease) throw new ClusterError('NotFound', 'no lease');
    return this.lease;
  }

  #create(object: ClusterObject): StoredObject {
    if (this.lease) throw new ClusterError('AlreadyExists', 'there');
    return this.#write(object);
  }

  #update(object: ClusterObject): StoredObject {
    const isOld = object.metadata.resourceVersion !== this.#get().metadata.resourceVersion;
    if (isOld) throw new ClusterError('Conflict', 'changed');
    return this.#write(object);
  }

  #write(object: ClusterObject): StoredObject {
    this.writes += 1;
    const metadata = { name: 'lead', uid: 'u', creationTimestamp: '', resourceVersion: `${this.writes}` };
    this.lease = { ...object, metadata: { ...object.metadata, ...metadata } };
    return this.lease;
  }
}

class Candidate {
  readonly line: ReturnType<LeaseServer['line']>;
  readonly stop = new AbortController();
  term: Term | undefined;
  end: TermEnd | Error | undefined;
  #finish: () => void = () => {};

  constructor(server: LeaseServer, clock: ManualClock, identity: string, lingers = false) {
    this.line = server.line();
    const work = (term: Term) =>
      new Promise<void>(resolve => {
        this.term = term;
        this.#finish = resolve;
        if (!lingers) term.signal.addEventListener('abort', () => resolve());
      });
    const options = { lease: { namespace: 'here', name: 'lead' }, identity, clock };
    lead(this.line.cluster, options, work, this.stop.signal).then(
      end => {
        this.end = end;
      },
      error => {
        this.end = error;
      },
    );
  }

  finish(): void {
    this.#finish();
  }

  get acts(): boolean {
    return this.term?.mayAct() ?? false;
  }
}

function stage(): { server: LeaseServer; clock: ManualClock } {
  return { server: new LeaseServer(), clock: new ManualClock() };
}

describe('lead', () => {
  test('gives the lead to the first, and keeps it from the others while it is renewed', async () => {
    const { server, clock } = stage();
    const one = new Candidate(server, clock, 'one');
    await settle();
    const two = new Candidate(server, clock, 'two');
    await clock.pass(120);
    expect([one.acts, two.acts]).toEqual([true, false]);
    expect(server.spec).toMatchObject({
      holderIdentity: 'one',
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
    });
    expect(server.spec['renewTime']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  });

  test('gives it to one of two that come at the same moment', async () => {
    const { server, clock } = stage();
    const both = [new Candidate(server, clock, 'one'), new Candidate(server, clock, 'two')];
    await clock.pass(30);
    expect(both.filter(one => one.acts)).toHaveLength(1);
  });

  test('hands it over at a stop, once the work has ended', async () => {
    const { server, clock } = stage();
    const one = new Candidate(server, clock, 'one', true);
    await settle();
    const two = new Candidate(server, clock, 'two');
    await clock.pass(1);
    one.stop.abort();
    await clock.pass(60);
    expect([one.acts, two.acts, one.end]).toEqual([false, false, undefined]);
    one.finish();
    await clock.pass(3);
    expect([one.end, two.acts]).toEqual(['stopped', true]);
    expect(server.spec).toMatchObject({ holderIdentity: 'two', leaseTransitions: 1 });
  });

  test('gives it back when the work is done', async () => {
    const { server, clock } = stage();
    const one = new Candidate(server, clock, 'one');
    await settle();
    one.finish();
    await settle();
    expect(one.end).toBe('finished');
    expect(server.spec).toMatchObject({ holderIdentity: '' });
  });

  test('gives it back when the work throws, and throws that', async () => {
    const { server, clock } = stage();
    const options = { lease: { namespace: 'here', name: 'lead' }, identity: 'one', clock };
    const work = () => Promise.reject(new ClusterError('Invalid', 'work'));
    const running = lead(server.line().cluster, options, work, new AbortController().signal);
    await expect(running).rejects.toThrow('work');
    expect(server.spec).toMatchObject({ holderIdentity: '' });
  });

  test('never begins when it is stopped before', async () => {
    const { server, clock } = stage();
    const one = new Candidate(server, clock, 'one');
    await settle();
    const two = new Candidate(server, clock, 'two');
    await clock.pass(5);
    two.stop.abort();
    await settle();
    expect([two.end, two.term, one.acts]).toEqual(['stopped', undefined, true]);
  });

  test('refuses times that cannot be safe', async () => {
    const { server, clock } = stage();
    const options = { lease: { namespace: 'here', name: 'lead' }, identity: 'one', clock };
    const wrong = { ...options, leaseSeconds: 10, renewDeadlineSeconds: 10 };
    const running = lead(server.line().cluster, wrong, async () => {}, new AbortController().signal);
    await expect(running).rejects.toMatchObject({ reason: 'BadRequest' });
  });
});

describe('a leader that is cut off', () => {
  test.each(['before', 'hangs'] as const)('stops acting before another starts (%s)', async cut => {
    const { server, clock } = stage();
    const one = new Candidate(server, clock, 'one');
    await clock.pass(20);
    const two = new Candidate(server, clock, 'two');
    await clock.pass(5);
    one.line.cut = cut;
    let stopped: number | undefined;
    let started: number | undefined;
    for (let step = 0; step < 600; step++) {
      await clock.pass(0.1);
      expect(one.acts && two.acts).toBe(false);
      if (!one.acts) stopped ??= step / 10;
      if (two.acts) started ??= step / 10;
    }
    expect(stopped).toBeLessThanOrEqual(10);
    expect(started).toBeGreaterThanOrEqual((stopped ?? 0) + 2);
    expect(started).toBeLessThanOrEqual(20);
    expect(one.term?.signal.aborted).toBe(true);
    if (cut === 'before') expect(one.end).toBe('lost');
  });

  test('keeps the lead over a short cut, also when the write had happened', async () => {
    const { server, clock } = stage();
    const one = new Candidate(server, clock, 'one');
    const two = new Candidate(server, clock, 'two');
    await clock.pass(5);
    for (const cut of ['before', 'after'] as const) {
      one.line.cut = cut;
      await clock.pass(4);
      one.line.cut = 'no';
      await clock.pass(30);
      expect([one.acts, two.acts, one.end]).toEqual([true, false, undefined]);
    }
  });

  test('stops at once when another has the lease', async () => {
    const { server, clock } = stage();
    const one = new Candidate(server, clock, 'one');
    await clock.pass(5);
    const { lease } = server;
    if (lease)
      await server.line().cluster.update({ ...lease, spec: { ...server.spec, holderIdentity: 'x' } });
    await clock.pass(2.5);
    expect([one.acts, one.end]).toEqual([false, 'lost']);
    expect(server.spec).toMatchObject({ holderIdentity: 'x' });
  });

  test('may not act after its process was held up, before any timer could run', async () => {
    const { server, clock } = stage();
    const one = new Candidate(server, clock, 'one');
    await clock.pass(5);
    // The machine slept: its date is later, its timers are not.
    clock.skew = 60_000;
    expect(one.term?.signal.aborted).toBe(false);
    expect(one.acts).toBe(false);
  });
});

describe('clocks that show something else', () => {
  test.each([3_600_000, -3_600_000])('do not matter (%d ms off)', async skew => {
    const server = new LeaseServer();
    const clock = new ManualClock();
    const one = new Candidate(server, clock, 'one');
    await clock.pass(5);
    const other = new ManualClock();
    other.skew = skew;
    const two = new Candidate(server, other, 'two');
    for (let second = 0; second < 60; second++) {
      await clock.pass(1);
      await other.pass(1);
      expect([one.acts, two.acts]).toEqual([true, false]);
    }
  });
});
