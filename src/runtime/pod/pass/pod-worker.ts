import type { StoredObject } from '../../../cluster/cluster.ts';
import { isReason } from '../../../cluster/cluster-error.ts';
import { partsOf, placeOf } from '../../../reconcile/informer.ts';
import type { Controller } from '../../../reconcile/reconcile.ts';
import type { Again } from '../../../reconcile/work-queue.ts';
import { containersOf, type Pod, type Volume } from '../pod-shape.ts';
import { byClaim, claimType } from '../volume/volume-claims.ts';
import { endPod, isToEnd } from './end-pod.ts';
import { configMapType, keyOf, type PodParts, podType, secretType } from './pod-parts.ts';
import { runPod } from './run-pod.ts';

/** Under this index Pods are kept by the ConfigMaps and Secrets they use. */
export const byReference = 'reference';

/** How soon a pass is made again that met somebody else's write. */
const conflictSeconds = 0.1;

/** What a kubelet does: for each Pod of this machine, a pass whenever something about it changed. */
export function podController(parts: PodParts): Controller {
  const { reconciling, rooms, clock, node } = parts;
  const pods = reconciling.informer(podType);
  const users = (object: StoredObject) => pods.by(byReference, referenceOf(object)).map(keyOf);
  return {
    name: 'pod',
    workers: 16,
    watches: [
      { type: podType, keysOf: object => [keyOf(object)] },
      { type: configMapType, keysOf: users },
      { type: secretType, keysOf: users },
      { type: claimType, keysOf: claim => pods.by(byClaim, keyOf(claim)).map(keyOf) },
    ],
    async pass(key) {
      const { namespace, name } = partsOf(key);
      const pod = pods.get(namespace, name) as Pod | undefined;
      const strangers = rooms.at(key).filter(uid => uid !== pod?.metadata.uid);
      const left = await Promise.all(strangers.map(uid => endStranger(uid, parts)));
      // Two Pods of one name never run at once.
      if (left.includes(true) || pod?.spec.nodeName !== node) return undefined;
      try {
        return await (isToEnd(pod, clock.wall()) ? endPod(pod, parts) : runPod(pod, parts));
      } catch (error) {
        return somebodyElseWrote(error);
      }
    },
  };
}

/** Ends what runs of a Pod whose object is gone. True while something of it is left. */
async function endStranger(podUid: string, parts: PodParts): Promise<boolean> {
  const { rooms, containers, endings, clock } = parts;
  const alive = rooms.runs(podUid).filter(id => (containers.state(id)?.is ?? 'ended') !== 'ended');
  for (const id of alive) {
    const subject = { id, container: { name: id.name }, podIp: '' };
    endings.end({ subject, until: clock.wall() });
  }
  if (alive.length > 0) return true;
  await rooms.close(podUid);
  parts.hosts.drop(podUid);
  parts.lastWords.drop(podUid);
  return false;
}

/** The watch tells of the other write, and a pass goes by what it left. */
function somebodyElseWrote(error: unknown): Again {
  if (isReason(error, 'Conflict')) return { afterSeconds: conflictSeconds };
  if (isReason(error, 'NotFound')) return undefined;
  throw error;
}

/** The ConfigMaps and Secrets a Pod speaks of, as keys of an index. */
export function referencesOf(object: StoredObject): readonly string[] {
  const { spec, metadata } = object as Pod;
  const named = (kind: string, name: string | undefined) =>
    name === undefined ? [] : [`${kind} ${placeOf(metadata.namespace, name)}`];
  const fromEnv = containersOf(spec).flatMap(({ env = [], envFrom = [] }) => [
    ...env.flatMap(({ valueFrom }) => [
      ...named('ConfigMap', valueFrom?.configMapKeyRef?.name),
      ...named('Secret', valueFrom?.secretKeyRef?.name),
    ]),
    ...envFrom.flatMap(({ configMapRef, secretRef }) => [
      ...named('ConfigMap', configMapRef?.name),
      ...named('Secret', secretRef?.name),
    ]),
  ]);
  const fromVolumes = (spec.volumes ?? [])
    .flatMap(sourcesOf)
    .flatMap(({ configMap, secret }) => [...named('ConfigMap', configMap), ...named('Secret', secret)]);
  return [...new Set([...fromEnv, ...fromVolumes])];
}

function sourcesOf({ configMap, secret, projected }: Volume) {
  const several = (projected?.sources ?? []).map(source => ({
    configMap: source.configMap?.name,
    secret: source.secret?.name,
  }));
  return [{ configMap: configMap?.name, secret: secret?.secretName }, ...several];
}

function referenceOf(object: StoredObject): string {
  return `${object.kind} ${keyOf(object)}`;
}
