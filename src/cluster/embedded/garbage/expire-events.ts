import type { StoredObject } from '../../cluster.ts';
import { placeOf } from '../store/kind-objects.ts';
import type { Store } from '../store/store.ts';

const eventKinds = ['/Event', 'events.k8s.io/Event'];

/** Removes the Events that nobody has written to for their lifetime. */
export async function expireEvents(store: Store): Promise<void> {
  const { clock, eventSeconds } = store.settings;
  const oldest = clock.wall() - eventSeconds * 1000;
  const gone = eventKinds.flatMap(kind =>
    [...store.table.of(kind).values()]
      .filter(event => writtenAt(event) < oldest)
      .map(event => ({ kind, event })),
  );
  await Promise.all(
    gone.map(({ kind, event }) =>
      store.write(transaction => {
        const now = transaction.find(kind, placeOf(event.metadata.namespace, event.metadata.name));
        // Written to in the meantime: it begins anew.
        if (now === event) transaction.remove(kind, now);
      }),
    ),
  );
}

/** When it was last written to: every change leaves its time with the one who made it. */
function writtenAt({ metadata }: StoredObject): number {
  const times = (metadata.managedFields ?? []).map(entry => Date.parse(String(entry['time'])));
  return Math.max(Date.parse(metadata.creationTimestamp), ...times.filter(time => !Number.isNaN(time)));
}
