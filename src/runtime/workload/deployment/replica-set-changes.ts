import type { JsonObject } from '../../../base/json.ts';
import type { ReplicaSet } from '../replicaset/replica-set.ts';
import { normal, type Write } from '../run/decision.ts';
import { type Deployment, maxSurge, replicasOf } from './deployment.ts';

export const revisionAnnotation = 'deployment.kubernetes.io/revision';
export const revisionHistoryAnnotation = 'deployment.kubernetes.io/revision-history';
export const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas';
export const maxAnnotation = 'deployment.kubernetes.io/max-replicas';

/** What a pass changes in the ReplicaSets of a Deployment: gathered first, one write each at the end. */
export class ReplicaSetChanges {
  readonly #deployment: Deployment;
  readonly #sizes = new Map<ReplicaSet, number>();
  readonly #annotations = new Map<ReplicaSet, Record<string, string>>();
  readonly #minReady = new Set<ReplicaSet>();

  constructor(deployment: Deployment) {
    this.#deployment = deployment;
  }

  /** The size it has or is about to have. */
  sizeOf(replicaSet: ReplicaSet): number {
    return this.#sizes.get(replicaSet) ?? replicasOf(replicaSet);
  }

  annotationsOf(replicaSet: ReplicaSet): Readonly<Record<string, string>> {
    return { ...replicaSet.metadata.annotations, ...this.#annotations.get(replicaSet) };
  }

  /** Gives it another size, and notes down for which size of the Deployment that was. True where something changes. */
  scale(replicaSet: ReplicaSet, size: number, always = false): boolean {
    const isOther = this.sizeOf(replicaSet) !== size;
    if (!isOther && !always) return false;
    this.#sizes.set(replicaSet, size);
    this.annotate(replicaSet, sizeAnnotations(this.#deployment));
    return isOther;
  }

  annotate(replicaSet: ReplicaSet, annotations: Readonly<Record<string, string>>): void {
    this.#annotations.set(replicaSet, { ...this.#annotations.get(replicaSet), ...annotations });
  }

  /** It counts its Pods as available by the Deployment's time. */
  useMinReadySeconds(replicaSet: ReplicaSet): void {
    this.#minReady.add(replicaSet);
  }

  /** The writes; those of ReplicaSets that are as they shall be are left out. */
  writes(): readonly Write[] {
    const touched = new Set([...this.#annotations.keys(), ...this.#minReady]);
    return [...touched].flatMap(replicaSet => this.#writesOf(replicaSet));
  }

  #writesOf(replicaSet: ReplicaSet): readonly Write[] {
    const before = replicasOf(replicaSet);
    const size = this.sizeOf(replicaSet);
    const { minReadySeconds = 0 } = this.#deployment.spec;
    const annotations = Object.entries(this.#annotations.get(replicaSet) ?? {}).filter(
      ([key, value]) => replicaSet.metadata.annotations?.[key] !== value,
    );
    const spec = {
      ...(size === before ? {} : { replicas: size }),
      ...(this.#minReady.has(replicaSet) && (replicaSet.spec.minReadySeconds ?? 0) !== minReadySeconds
        ? { minReadySeconds }
        : {}),
    };
    if (annotations.length === 0 && Object.keys(spec).length === 0) return [];
    const patch: JsonObject = { metadata: { annotations: Object.fromEntries(annotations) }, spec };
    const told = size === before ? {} : { tell: (name: string) => scaled(name, before, size) };
    return [{ verb: 'patch', object: replicaSet, patch, ...told }];
  }
}

/** For which size of the Deployment a ReplicaSet has its own. */
export function sizeAnnotations(deployment: Deployment): Record<string, string> {
  const replicas = replicasOf(deployment);
  return {
    [desiredAnnotation]: String(replicas),
    [maxAnnotation]: String(replicas + maxSurge(deployment)),
  };
}

/** What is told of a ReplicaSet that got another size. */
export function scaled(name: string, before: number, size: number) {
  const way = before < size ? 'up' : 'down';
  return normal('ScalingReplicaSet', `Scaled ${way} replica set ${name} from ${before} to ${size}`);
}
