import type { Cluster, StoredObject } from '../../cluster/cluster.ts';

const eventType = { apiVersion: 'v1', kind: 'Event' } as const;

/** What the cluster noted about one object, by its uid, or about one of that kind and name. */
export async function readEvents(
  cluster: Cluster,
  namespace: string,
  about: { readonly uid: string } | { readonly kind: string; readonly name: string },
): Promise<readonly StoredObject[]> {
  const fieldSelector =
    'uid' in about
      ? `involvedObject.uid=${about.uid}`
      : `involvedObject.kind=${about.kind},involvedObject.name=${about.name}`;
  return (await cluster.list(eventType, { namespace, fieldSelector })).items;
}
