import { crdOf } from '../../api/crd.ts';
import { kinds } from '../../api/kinds.ts';
import type { ClusterObject } from '../cluster.ts';
import { copyJson } from '../request-door.ts';
import type { KindRegistry } from './kinds/kind-registry.ts';
import { storeKindOf } from './kinds/kind-rules.ts';
import { placeOf } from './store/kind-objects.ts';
import type { Store } from './store/store.ts';
import { createObject } from './write/create-object.ts';
import { readRequest } from './write/read-request.ts';
import { replaceObject } from './write/replace-object.ts';

/** What every cluster has from the beginning: two namespaces, and our own kinds as this version of the program defines them. */
export async function seedCluster(store: Store, registry: KindRegistry): Promise<void> {
  const namespaces = ['default', 'kube-system'].map(name => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
  }));
  const wanted: ClusterObject[] = [
    ...namespaces,
    ...kinds.map(kind => crdOf(kind) as unknown as ClusterObject),
  ];
  await Promise.all(
    wanted.map(object =>
      store.write(transaction => {
        const rules = registry.rulesOf(object);
        const options = { fieldManager: 'afloat' };
        const context = {
          transaction,
          rules,
          options,
          subresource: undefined,
          random: Math.random,
        };
        const request = readRequest(context, copyJson(object));
        const before = transaction.find(storeKindOf(rules), placeOf(undefined, object.metadata.name ?? ''));
        if (!before) return createObject(context, request);
        // A namespace is as it is; a definition of ours may have grown since.
        return object.kind === 'Namespace'
          ? before
          : replaceObject(context, before, withKept(request, before));
      }),
    ),
  );
}

/** What was added to the metadata in the meantime stays; what ours says itself is as it says now. */
function withKept(request: ClusterObject, { metadata: before }: ClusterObject): ClusterObject {
  const { annotations } = request.metadata;
  const merged = { ...before.annotations, ...annotations };
  const { labels, finalizers } = before;
  const kept = Object.fromEntries(
    Object.entries({ labels, finalizers }).filter(([, value]) => value !== undefined),
  );
  return { ...request, metadata: { ...request.metadata, ...kept, annotations: merged } };
}
