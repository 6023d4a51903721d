import { expect, test } from 'vitest';
import type { ClusterObject, StoredObject } from '../../../cluster/cluster.ts';
import { ClusterError } from '../../../cluster/cluster-error.ts';
import type { Reconciling } from '../../../reconcile/reconcile.ts';
import { carryOut } from './carry-out.ts';
import { createPod, deletePod, type Note, type Write } from './decision.ts';

/** Takes note of writes, how many are under way at once, and refuses what it is told to. */
class Listener {
  readonly names: string[] = [];
  readonly together: number[] = [];
  readonly notes: Note[] = [];
  #underWay = 0;
  readonly #refuses: (name: string) => ClusterError | undefined;

  constructor(refuses: (name: string) => ClusterError | undefined = () => undefined) {
    this.#refuses = refuses;
  }

  async create(object: ClusterObject): Promise<StoredObject> {
    return this.#write(`create ${object.metadata.name}`, object as StoredObject);
  }

  async delete({ name }: { readonly name: string }): Promise<StoredObject> {
    return this.#write(`delete ${name}`, pod(name));
  }

  async #write(what: string, object: StoredObject): Promise<StoredObject> {
    this.names.push(what);
    this.#underWay += 1;
    await new Promise(resolve => setImmediate(resolve));
    if (this.#underWay > 0) this.together.push(this.#underWay);
    this.#underWay = 0;
    const refusal = this.#refuses(what);
    if (refusal) throw refusal;
    return object;
  }

  carryOut(writes: readonly Write[]): Promise<void> {
    return carryOut(this as unknown as Reconciling, writes, note => this.notes.push(note));
  }
}

function pod(name: string): StoredObject {
  const metadata = { name, uid: name, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };
  return { apiVersion: 'v1', kind: 'Pod', metadata };
}

const ten = Array.from({ length: 10 }, (_, number) => createPod(pod(`p${number}`)));

test('begins with one and doubles', async () => {
  const listener = new Listener();
  await listener.carryOut(ten);
  expect(listener.together).toEqual([1, 2, 4, 3]);
  expect(listener.notes).toHaveLength(10);
});

test('stops after the batch in which one fails, and tells of it', async () => {
  const listener = new Listener(what =>
    what === 'create p2' ? new ClusterError('Forbidden', 'no') : undefined,
  );
  await expect(listener.carryOut(ten)).rejects.toMatchObject({ reason: 'Forbidden' });
  expect(listener.names).toEqual(['create p0', 'create p1', 'create p2']);
  expect(listener.notes.map(({ reason }) => reason).sort()).toEqual([
    'FailedCreate',
    'SuccessfulCreate',
    'SuccessfulCreate',
  ]);
});

test('what is gone already, or is another by now, need not be deleted', async () => {
  for (const reason of ['NotFound', 'Conflict'] as const) {
    const listener = new Listener(() => new ClusterError(reason, 'no'));
    await listener.carryOut([deletePod(pod('a'))]);
    expect(listener.notes).toEqual([]);
  }
});

test('writes of another verb wait for those before', async () => {
  const listener = new Listener();
  await listener.carryOut([deletePod(pod('a')), createPod(pod('b')), createPod(pod('c'))]);
  expect(listener.names).toEqual(['delete a', 'create b', 'create c']);
  expect(listener.together).toEqual([1, 1, 1]);
});
