import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredObject } from '../../../cluster/cluster.ts';
import { isReason } from '../../../cluster/cluster-error.ts';
import { partsOf, placeOf } from '../../../reconcile/informer.ts';
import type { Controller, Reconciling } from '../../../reconcile/reconcile.ts';
import type { Pod } from '../pod-shape.ts';
import { isTerminal } from '../pod-status-shape.ts';
import type { KeptVolumes } from './pod-volumes.ts';

export const claimType = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' } as const;
const podType = { apiVersion: 'v1', kind: 'Pod' } as const;

/** Kubernetes' own name for what keeps a claim while a Pod uses it. */
const protection = 'kubernetes.io/pvc-protection';

/** Under this index Pods are kept by the claims they use. */
export const byClaim = 'claim';

interface Claim extends StoredObject {
  readonly spec: {
    readonly accessModes?: readonly string[];
    readonly resources?: { readonly requests?: Readonly<Record<string, string>> };
    readonly volumeName?: string;
  };
  readonly status?: { readonly phase?: string };
}

/** The claims that a Pod uses, as keys of an index. */
export function claimsOf(object: StoredObject): readonly string[] {
  const { spec, metadata } = object as Pod;
  return (spec.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) =>
    claim ? [placeOf(metadata.namespace, claim.claimName)] : [],
  );
}

/**
 * Claims become folders that outlive Pods: bound when there is a folder, gone when the claim is deleted and no Pod uses it. The
 * finalizer sees to it that no folder is left behind, whenever the claim is deleted.
 */
export class VolumeClaims implements KeptVolumes {
  readonly #reconciling: Reconciling;
  readonly #folder: string;

  constructor(reconciling: Reconciling, folder: string) {
    this.#reconciling = reconciling;
    this.#folder = folder;
    reconciling.informer(claimType);
    reconciling.informer(podType, { [byClaim]: claimsOf });
  }

  folderOf(namespace: string, claim: string): string | undefined {
    const object = this.#claim(namespace, claim);
    return object?.status?.phase === 'Bound' ? this.#place(object) : undefined;
  }

  readonly controller: Controller = {
    name: 'volume claim',
    watches: [
      { type: claimType, keysOf: ({ metadata }) => [placeOf(metadata.namespace, metadata.name)] },
      { type: podType, keysOf: claimsOf },
    ],
    pass: async key => {
      const { namespace, name } = partsOf(key);
      const claim = this.#claim(namespace, name);
      if (!claim) return undefined;
      try {
        await (claim.metadata.deletionTimestamp ? this.#remove(claim) : this.#bind(claim));
      } catch (error) {
        // Somebody wrote to it at the same time; the watch tells and this is done again.
        if (!isReason(error, 'Conflict', 'NotFound')) throw error;
      }
      return undefined;
    },
  };

  async #bind(claim: Claim): Promise<void> {
    const { metadata, spec } = claim;
    let current = claim;
    if (!metadata.finalizers?.includes(protection) || !spec.volumeName) {
      current = (await this.#reconciling.update({
        ...claim,
        metadata: { ...metadata, finalizers: [...new Set([...(metadata.finalizers ?? []), protection])] },
        spec: { ...spec, volumeName: spec.volumeName ?? `pvc-${metadata.uid}` },
      })) as Claim;
    }
    if (current.status?.phase === 'Bound') return;
    await mkdir(this.#place(claim), { recursive: true, mode: 0o777 });
    const { accessModes = [], resources } = spec;
    const capacity = { storage: resources?.requests?.['storage'] ?? '0' };
    await this.#reconciling.updateStatus({ ...current, status: { phase: 'Bound', accessModes, capacity } });
  }

  async #remove(claim: Claim): Promise<void> {
    const { metadata } = claim;
    if (!metadata.finalizers?.includes(protection) || this.#isUsed(claim)) return;
    await rm(this.#place(claim), { recursive: true, force: true });
    const finalizers = metadata.finalizers.filter(name => name !== protection);
    await this.#reconciling.update({ ...claim, metadata: { ...metadata, finalizers } });
  }

  #isUsed({ metadata }: Claim): boolean {
    const pods = this.#reconciling
      .informer(podType)
      .by(byClaim, placeOf(metadata.namespace, metadata.name)) as readonly Pod[];
    return pods.some(pod => pod.spec.nodeName !== undefined && !isTerminal(pod.status?.phase));
  }

  #claim(namespace: string, name: string): Claim | undefined {
    return this.#reconciling.informer(claimType).get(namespace, name) as Claim | undefined;
  }

  #place({ metadata }: Claim): string {
    return join(this.#folder, metadata.namespace ?? '', metadata.name);
  }
}
