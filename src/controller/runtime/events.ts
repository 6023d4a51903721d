import { digestJson } from '../../base/digest.ts';
import type { StoredObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import type { Reconciling } from '../../reconcile/reconcile.ts';

/** Something that happened. */
export interface Happening {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** Tells it from the same thing happening to the same object at another time. */
  readonly key: string;
}

/**
 * Tells of something that happened to an object, once: a pass that is repeated finds its own event. An event is a courtesy; a server
 * that takes none stops nothing.
 */
export async function tellEvent(
  reconciling: Reconciling,
  about: StoredObject,
  { type, reason, message, key }: Happening,
  now: number,
): Promise<void> {
  const { name, namespace = 'default', uid } = about.metadata;
  const at = new Date(now).toISOString().replace(/\.\d+/, '');
  const id = digestJson([uid, reason, key]).slice(7, 23);
  try {
    await reconciling.create({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name.slice(0, 200)}.${id}`, namespace },
      involvedObject: { apiVersion: about.apiVersion, kind: about.kind, name, namespace, uid },
      ...{ type, reason, message: message.slice(0, 1000), count: 1 },
      ...{ firstTimestamp: at, lastTimestamp: at },
      source: { component: 'afloat' },
      reportingComponent: 'afloat',
      reportingInstance: '',
    });
  } catch (error) {
    if (!isReason(error, 'AlreadyExists', 'Forbidden', 'NotFound')) throw error;
  }
}
