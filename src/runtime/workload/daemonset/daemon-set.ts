import type { StoredObject } from '../../../cluster/cluster.ts';
import type { Amount } from '../object/amounts.ts';
import type { Pod } from '../object/pod.ts';
import type { PodTemplate } from '../object/pod-template.ts';
import type { Selector } from '../object/selector.ts';

/** What a controller looks at in a DaemonSet. */
export interface DaemonSet extends StoredObject {
  readonly spec: {
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
    readonly selector?: Selector;
    readonly template: PodTemplate;
    readonly updateStrategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly maxSurge?: Amount; readonly maxUnavailable?: Amount };
    };
  };
  readonly status?: { readonly collisionCount?: number };
}

export interface Node extends StoredObject {
  readonly spec?: { readonly taints?: readonly Taint[] };
}

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
}

export const hashLabel = 'controller-revision-hash';

/** The node that a Pod is on or is meant for. */
export function targetNodeOf({ spec }: Pod): string | undefined {
  if (spec.nodeName) return spec.nodeName;
  const affinity = spec['affinity'] as Affinity | undefined;
  const terms =
    affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const fields = terms.flatMap(term => term.matchFields ?? []);
  return fields.find(({ key }) => key === 'metadata.name')?.values?.[0];
}

export interface Affinity {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: {
      readonly nodeSelectorTerms?: readonly {
        readonly matchFields?: readonly { readonly key: string; readonly values?: readonly string[] }[];
      }[];
    };
  };
}
