import type { Metadata, ObjectType, StoredObject } from '../cluster.ts';
import { isReason } from '../cluster-error.ts';
import { type CaseWorld, eventually } from './case-world.contract.ts';

export const podType: ObjectType = { apiVersion: 'v1', kind: 'Pod' };

/** A Pod that is there. A real cluster refuses Pods until it has made the account of the namespace, a moment after it. */
export async function makePod(
  world: CaseWorld,
  spec: object,
  metadata: Metadata = {},
): Promise<StoredObject> {
  const containers = [{ name: 'one', image: 'one:1' }];
  const object = world.object(podType, 'one', { spec: { containers, ...spec } }, metadata);
  await eventually('Pods are taken', () => {
    return world.create(object).then(
      () => true,
      error => {
        if (isReason(error, 'Forbidden')) return false;
        throw error;
      },
    );
  });
  return world.now(object);
}
