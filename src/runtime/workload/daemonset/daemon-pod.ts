import type { ClusterObject } from '../../../cluster/cluster.ts';
import { podOf } from '../object/pod-template.ts';
import {
  type Affinity,
  type DaemonSet,
  hashLabel,
  type Node,
  type Taint,
  type Toleration,
} from './daemon-set.ts';

/** A daemon stays on a node that is in trouble: it may be what helps. */
const daemonTolerations: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  ...['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map(trouble => ({
    key: `node.kubernetes.io/${trouble}`,
    operator: 'Exists',
    effect: 'NoSchedule',
  })),
];

/** A Pod for one node, marked with the revision that it is made of. */
export function daemonPod(daemonSet: DaemonSet, node: string, hash: string): ClusterObject {
  const { template } = daemonSet.spec;
  const spec = {
    ...template.spec,
    affinity: affinityTo(template.spec['affinity'], node),
    tolerations: tolerationsOf(daemonSet),
  };
  return podOf(daemonSet, { ...template, spec }, { labels: { [hashLabel]: hash } });
}

/** Whether a daemon shall run on a node, and whether one that is there may stay. */
export function placeOn(
  daemonSet: DaemonSet,
  node: Node,
): { readonly shallRun: boolean; readonly mayStay: boolean } {
  const { nodeName, nodeSelector } = daemonSet.spec.template.spec as {
    readonly nodeName?: string;
    readonly nodeSelector?: Readonly<Record<string, string>>;
  };
  const labels = node.metadata.labels ?? {};
  const isElsewhere = nodeName !== undefined && nodeName !== node.metadata.name;
  const isSelected = Object.entries(nodeSelector ?? {}).every(([key, value]) => labels[key] === value);
  if (isElsewhere || !isSelected) return { shallRun: false, mayStay: false };
  const tolerations = tolerationsOf(daemonSet);
  const keptOut = (node.spec?.taints ?? []).filter(
    taint => taint.effect !== 'PreferNoSchedule' && !tolerations.some(one => tolerates(one, taint)),
  );
  return { shallRun: keptOut.length === 0, mayStay: keptOut.every(({ effect }) => effect !== 'NoExecute') };
}

function tolerationsOf({ spec }: DaemonSet): readonly Toleration[] {
  const own = (spec.template.spec['tolerations'] ?? []) as readonly Toleration[];
  const network = { key: 'node.kubernetes.io/network-unavailable', operator: 'Exists', effect: 'NoSchedule' };
  const more = spec.template.spec['hostNetwork'] === true ? [network] : [];
  const added = [...daemonTolerations, ...more].filter(
    one => !own.some(({ key, effect }) => key === one.key && effect === one.effect),
  );
  return [...own, ...added];
}

function tolerates({ key, operator = 'Equal', value = '', effect }: Toleration, taint: Taint): boolean {
  if (effect !== undefined && effect !== taint.effect) return false;
  if (key !== undefined && key !== taint.key) return false;
  return operator === 'Exists' || value === (taint.value ?? '');
}

/** Whatever it asks for, on this node: each of its terms is about the node's name now. */
function affinityTo(affinity: unknown, node: string): Affinity {
  const before = (affinity ?? {}) as Affinity;
  const required = before.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  const terms = required?.nodeSelectorTerms ?? [];
  return {
    ...before,
    nodeAffinity: {
      ...before.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms:
          terms.length > 0 ? terms.map(term => ({ ...term, matchFields })) : [{ matchFields }],
      },
    },
  };
}
